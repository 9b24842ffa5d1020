import { Badge } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { CommissionRow } from "#app/analytics/commissions.server.ts";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useFormatEuros } from "#app/ui/use-format-euros.ts";

export function CommissionTable({ commissions }: { commissions: CommissionRow[] }) {
  const { t } = useTranslation("analytics");
  const { format } = useShop();
  const euros = useFormatEuros();
  return (
    <ListTable
      columns={[
        { title: t("commissions.column.date"), kind: "short" },
        { title: t("commissions.column.sale"), kind: "id" },
        { title: t("commissions.column.store") },
        { title: t("commissions.column.type"), kind: "short" },
        { title: t("commissions.column.billing"), kind: "short" },
        { title: t("commissions.column.collected"), kind: "number" },
        { title: t("commissions.column.amount"), kind: "number" },
      ]}
      rows={commissions.map((row) => ({
        key: row.commissionId,
        cells: [
          format.date(row.date),
          row.saleId,
          row.store,
          t(`commissions.type.${row.type}`),
          <Badge tone={row.billingType === "refunded" ? "attention" : undefined}>
            {t(`commissions.billing.${row.billingType}`)}
          </Badge>,
          euros(row.priceMinor),
          euros(row.amountMinor),
        ],
      }))}
    />
  );
}
