import { BlockStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Claim } from "#app/insurance/claims.ts";
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
        { title: t("column.claim"), kind: "id" },
        { title: t("column.plan"), kind: "id" },
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
              {types[claim.claimType] ?? t("common:unknown.claim", { raw: claim.claimType })}
            </Text>
          </BlockStack>,
          <Link url={`/app/plans/${encodeURIComponent(claim.planId)}`}>{claim.planId}</Link>,
          <BlockStack>
            <Text as="span">{[claim.customer.firstName, claim.customer.lastName].join(" ")}</Text>
            <Text as="span" tone="subdued">
              {claim.customer.email}
            </Text>
          </BlockStack>,
          <StatusBadge status={claim.approvalStatus} labels={approvalLabels} tones={tones} />,
          <StatusBadge status={claim.status} labels={statusLabels} tones={{}} />,
          <BlockStack>
            <Text as="span">{format.date(claim.filedDate)}</Text>
            {claim.closedDate !== null && (
              <Text as="span" tone="subdued">
                {t("closedOn", { date: format.date(claim.closedDate) })}
              </Text>
            )}
          </BlockStack>,
          claim.compensationMinor === null || claim.compensationCurrency === null
            ? null
            : format.money(claim.compensationMinor, claim.compensationCurrency),
        ],
      }))}
    />
  );
}
