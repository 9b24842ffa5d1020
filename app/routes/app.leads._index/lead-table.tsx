import { BlockStack, Button, IndexTable, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { LeadView } from "#app/leads/list.server.ts";
import { LeadStateBadge } from "#app/ui/lead-state-badge.tsx";
import { NumberCell } from "#app/ui/number-cell.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useCopyToClipboard } from "#app/ui/use-copy-to-clipboard.ts";

export function LeadTable({ leads }: { leads: LeadView[] }) {
  const { t } = useTranslation("leads");
  const { format } = useShop();
  const copy = useCopyToClipboard();
  return (
    <IndexTable
      selectable={false}
      itemCount={leads.length}
      headings={[
        { title: t("column.lead") },
        { title: t("column.customer") },
        { title: t("column.product") },
        { title: t("column.price"), alignment: "end" },
        { title: t("column.seller") },
        { title: t("column.state") },
        { title: t("column.created") },
        { title: t("column.expires") },
        { title: t("column.link") },
      ]}
    >
      {leads.map((lead, index) => (
        <IndexTable.Row key={lead.leadId} id={lead.leadId} position={index}>
          <IndexTable.Cell>
            <Link url={`/app/leads/${encodeURIComponent(lead.leadId)}`}>{lead.leadId}</Link>
          </IndexTable.Cell>
          <IndexTable.Cell>
            <BlockStack>
              <Text as="span">{lead.customerName ?? t("deleted")}</Text>
              <Text as="span" tone="subdued">
                {lead.customerEmail}
              </Text>
            </BlockStack>
          </IndexTable.Cell>
          <IndexTable.Cell>{lead.productTitle}</IndexTable.Cell>
          <NumberCell>{format.money(lead.priceMinor, lead.currency)}</NumberCell>
          <IndexTable.Cell>{lead.sellerName ?? "–"}</IndexTable.Cell>
          <IndexTable.Cell>
            <LeadStateBadge state={lead.state} />
          </IndexTable.Cell>
          <IndexTable.Cell>{format.dateTime(lead.createdAt)}</IndexTable.Cell>
          <IndexTable.Cell>{format.date(lead.expiresOn)}</IndexTable.Cell>
          <IndexTable.Cell>
            {lead.state === "active" && lead.subscriptionLink !== "" && (
              <Button
                variant="plain"
                accessibilityLabel={t("copyLinkOf", { id: lead.leadId })}
                onClick={() => void copy(lead.subscriptionLink)}
              >
                {t("copyLink")}
              </Button>
            )}
          </IndexTable.Cell>
        </IndexTable.Row>
      ))}
    </IndexTable>
  );
}
