import { BlockStack, IndexTable, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Claim } from "#app/insurance/claim.ts";
import { NumberCell } from "#app/ui/number-cell.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";

const tones = { approved: "success", refused: "critical", pending: "attention" } as const;

export function ClaimTable({ claims }: { claims: Claim[] }) {
  const { t } = useTranslation("claims");
  const { format } = useShop();
  const approvalLabels = {
    pending: t("approval.pending"),
    approved: t("approval.approved"),
    refused: t("approval.refused"),
  };
  const statusLabels: Partial<Record<string, string>> = t("status", { returnObjects: true });
  const types: Partial<Record<string, string>> = t("type", { returnObjects: true });
  return (
    <IndexTable
      selectable={false}
      itemCount={claims.length}
      headings={[
        { title: t("column.claim") },
        { title: t("column.plan") },
        { title: t("column.customer") },
        { title: t("column.approval") },
        { title: t("column.status") },
        { title: t("column.filed") },
        { title: t("column.amount"), alignment: "end" },
      ]}
    >
      {claims.map((claim, index) => (
        <IndexTable.Row key={claim.id} id={claim.id} position={index}>
          <IndexTable.Cell>
            <BlockStack>
              <Text as="span">{claim.id}</Text>
              <Text as="span" tone="subdued">
                {types[claim.claim_type] ?? claim.claim_type.replaceAll("_", " ")}
              </Text>
            </BlockStack>
          </IndexTable.Cell>
          <IndexTable.Cell>
            <Link url={`/app/plans/${encodeURIComponent(claim.plan_id)}`}>{claim.plan_id}</Link>
          </IndexTable.Cell>
          <IndexTable.Cell>
            <BlockStack>
              <Text as="span">{[claim.customer.first_name, claim.customer.last_name].join(" ")}</Text>
              <Text as="span" tone="subdued">
                {claim.customer.email}
              </Text>
            </BlockStack>
          </IndexTable.Cell>
          <IndexTable.Cell>
            <StatusBadge status={claim.approval_status} labels={approvalLabels} tones={tones} />
          </IndexTable.Cell>
          <IndexTable.Cell>
            <StatusBadge status={claim.status} labels={statusLabels} tones={{}} />
          </IndexTable.Cell>
          <IndexTable.Cell>
            <BlockStack>
              <Text as="span">{format.date(claim.filed_date)}</Text>
              {claim.closed_date !== null && (
                <Text as="span" tone="subdued">
                  {t("closedOn", { date: format.date(claim.closed_date) })}
                </Text>
              )}
            </BlockStack>
          </IndexTable.Cell>
          <NumberCell>
            {claim.compensation_amount === null || claim.compensation_currency_code === null
              ? "–"
              : format.money(claim.compensation_amount, claim.compensation_currency_code)}
          </NumberCell>
        </IndexTable.Row>
      ))}
    </IndexTable>
  );
}
