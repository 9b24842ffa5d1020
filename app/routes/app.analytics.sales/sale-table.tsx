import { Badge } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { SaleRow } from "#app/analytics/sales.server.ts";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useFormatEuros } from "#app/ui/use-format-euros.ts";

export function SaleTable({ sales }: { sales: SaleRow[] }) {
  const { t } = useTranslation("analytics");
  const { format } = useShop();
  const euros = useFormatEuros();
  return (
    <ListTable
      columns={[
        { title: t("sales.column.date"), kind: "short" },
        { title: t("sales.column.contract"), kind: "id" },
        { title: t("sales.column.status"), kind: "short" },
        { title: t("sales.column.store") },
        { title: t("sales.column.seller") },
        { title: t("sales.column.category") },
        { title: t("sales.column.price"), kind: "number" },
        { title: t("sales.column.front"), kind: "number" },
        { title: t("sales.column.air"), kind: "number" },
      ]}
      rows={sales.map((sale) => ({
        key: sale.saleId,
        cells: [
          format.date(sale.date),
          sale.saleId,
          sale.cancelledOn === null ? (
            <Badge tone="success">{t("sales.status.active")}</Badge>
          ) : (
            <Badge>{t("sales.cancelledOn", { date: format.date(sale.cancelledOn) })}</Badge>
          ),
          sale.store,
          sale.seller,
          sale.category,
          euros(sale.priceMinor),
          euros(sale.frontMinor),
          sale.airFrom === null
            ? null
            : t("sales.column.airFrom", {
                amount: euros(sale.airMinor),
                date: format.date(sale.airFrom),
              }),
        ],
      }))}
    />
  );
}
