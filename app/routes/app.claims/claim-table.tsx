import { BlockStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Claim } from "#app/insurance/claim.ts";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";

const tones = { approved: "success", refused: "critical", pending: "attention" } as const;

export function ClaimTable({ claims }: { claims: Claim[] }) {
  const { t } = useTranslation(["claims", "common"]);
  const { format } = useShop();
  const approvalLabels = {
    pending: t("approval.pending"),
    approved: t("approval.approved"),
    refused: t("approval.refused"),
  };
  const statusLabels: Partial<Record<string, string>> = t("status", { returnObjects: true });
  const types: Partial<Record<string, string>> = t("type", { returnObjects: true });
  return (
    <ListTable
      columns={[
        { title: t("column.claim") },
        { title: t("column.plan") },
        { title: t("column.customer") },
        { title: t("column.approval"), kind: "short" },
        { title: t("column.status"), kind: "short" },
        { title: t("column.filed"), kind: "short" },
        { title: t("column.amount"), kind: "number" },
      ]}
      rows={claims.map((claim) => ({
        key: claim.id,
        cells: [
          <BlockStack>
            <Text as="span">{claim.id}</Text>
            <Text as="span" tone="subdued">
              {types[claim.claim_type] ?? t("common:unknown.claim", { raw: claim.claim_type })}
            </Text>
          </BlockStack>,
          <Link url={`/app/plans/${encodeURIComponent(claim.plan_id)}`}>{claim.plan_id}</Link>,
          <BlockStack>
            <Text as="span">{[claim.customer.first_name, claim.customer.last_name].join(" ")}</Text>
            <Text as="span" tone="subdued">
              {claim.customer.email}
            </Text>
          </BlockStack>,
          <StatusBadge status={claim.approval_status} labels={approvalLabels} tones={tones} />,
          <StatusBadge status={claim.status} labels={statusLabels} tones={{}} />,
          <BlockStack>
            <Text as="span">{format.date(claim.filed_date)}</Text>
            {claim.closed_date !== null && (
              <Text as="span" tone="subdued">
                {t("closedOn", { date: format.date(claim.closed_date) })}
              </Text>
            )}
          </BlockStack>,
          claim.compensation_amount === null || claim.compensation_currency_code === null
            ? null
            : format.money(claim.compensation_amount, claim.compensation_currency_code),
        ],
      }))}
    />
  );
}
