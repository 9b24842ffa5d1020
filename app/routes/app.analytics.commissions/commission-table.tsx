import { Badge, IndexTable } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { CommissionRow } from "#app/analytics/commissions.server.ts";
import { NumberCell } from "#app/ui/number-cell.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useFormatEuros } from "#app/ui/use-format-euros.ts";

export function CommissionTable({ commissions }: { commissions: CommissionRow[] }) {
  const { t } = useTranslation("analytics");
  const { format } = useShop();
  const euros = useFormatEuros();
  return (
    <IndexTable
      selectable={false}
      itemCount={commissions.length}
      headings={[
        { title: t("commissions.column.date") },
        { title: t("commissions.column.sale") },
        { title: t("commissions.column.store") },
        { title: t("commissions.column.type") },
        { title: t("commissions.column.billing") },
        { title: t("commissions.column.collected"), alignment: "end" },
        { title: t("commissions.column.amount"), alignment: "end" },
      ]}
    >
      {commissions.map((row, index) => (
        <IndexTable.Row key={row.commissionId} id={row.commissionId} position={index}>
          <IndexTable.Cell>{format.date(row.date)}</IndexTable.Cell>
          <IndexTable.Cell>{row.saleId}</IndexTable.Cell>
          <IndexTable.Cell>{row.store}</IndexTable.Cell>
          <IndexTable.Cell>{row.type.toUpperCase()}</IndexTable.Cell>
          <IndexTable.Cell>
            <Badge tone={row.billingType === "refunded" ? "attention" : undefined}>
              {t(`commissions.billing.${row.billingType}`)}
            </Badge>
          </IndexTable.Cell>
          <NumberCell>{euros(row.priceMinor)}</NumberCell>
          <NumberCell>{euros(row.amountMinor)}</NumberCell>
        </IndexTable.Row>
      ))}
    </IndexTable>
  );
}
