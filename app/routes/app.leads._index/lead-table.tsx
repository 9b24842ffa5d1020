import { BlockStack, Button, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { LeadView } from "#app/leads/leads.server.ts";
import { LeadStateBadge } from "#app/ui/lead-state-badge.tsx";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useCopyToClipboard } from "#app/ui/use-copy-to-clipboard.ts";

export function LeadTable({ leads }: { leads: LeadView[] }) {
  const { t } = useTranslation("leads");
  const { format } = useShop();
  const copy = useCopyToClipboard();
  return (
    <ListTable
      columns={[
        { title: t("column.lead"), kind: "id" },
        { title: t("column.customer") },
        { title: t("column.product") },
        { title: t("column.price"), kind: "number" },
        { title: t("column.seller") },
        { title: t("column.state"), kind: "short" },
        { title: t("column.created"), kind: "short" },
        { title: t("column.expires"), kind: "short" },
        { title: t("column.link"), kind: "short" },
      ]}
      rows={leads.map((lead) => ({
        key: lead.leadId,
        cells: [
          <Link url={`/app/leads/${encodeURIComponent(lead.leadId)}`}>{lead.leadId}</Link>,
          <BlockStack>
            <Text as="span">{lead.customerName ?? t("deleted")}</Text>
            <Text as="span" tone="subdued">
              {lead.customerEmail}
            </Text>
          </BlockStack>,
          lead.productTitle,
          format.money(lead.priceMinor, lead.currency),
          lead.sellerName,
          <LeadStateBadge state={lead.state} />,
          format.dateTime(lead.createdAt),
          format.date(lead.expiresOn),
          lead.state === "active" && lead.subscriptionLink !== "" ? (
            <Button
              variant="plain"
              accessibilityLabel={t("copyLinkOf", { id: lead.leadId })}
              onClick={() => void copy(lead.subscriptionLink)}
            >
              {t("copyLink")}
            </Button>
          ) : null,
        ],
      }))}
    />
  );
}
