import { Badge, IndexTable } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { SaleRow } from "#app/analytics/sales.server.ts";
import { NumberCell } from "#app/ui/number-cell.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useFormatEuros } from "#app/ui/use-format-euros.ts";

export function SaleTable({ sales }: { sales: SaleRow[] }) {
  const { t } = useTranslation("analytics");
  const { format } = useShop();
  const euros = useFormatEuros();
  return (
    <IndexTable
      selectable={false}
      itemCount={sales.length}
      headings={[
        { title: t("sales.column.date") },
        { title: t("sales.column.contract") },
        { title: t("sales.column.status") },
        { title: t("sales.column.store") },
        { title: t("sales.column.seller") },
        { title: t("sales.column.category") },
        { title: t("sales.column.price"), alignment: "end" },
        { title: t("sales.column.front"), alignment: "end" },
        { title: t("sales.column.air"), alignment: "end" },
      ]}
    >
      {sales.map((sale, index) => (
        <IndexTable.Row key={sale.saleId} id={sale.saleId} position={index}>
          <IndexTable.Cell>{format.date(sale.date)}</IndexTable.Cell>
          <IndexTable.Cell>{sale.saleId}</IndexTable.Cell>
          <IndexTable.Cell>
            {sale.cancelledOn === null ? (
              <Badge tone="success">{t("sales.status.active")}</Badge>
            ) : (
              <Badge>{t("sales.cancelledOn", { date: format.date(sale.cancelledOn) })}</Badge>
            )}
          </IndexTable.Cell>
          <IndexTable.Cell>{sale.store}</IndexTable.Cell>
          <IndexTable.Cell>{sale.seller}</IndexTable.Cell>
          <IndexTable.Cell>{sale.category}</IndexTable.Cell>
          <NumberCell>{euros(sale.priceMinor)}</NumberCell>
          <NumberCell>{euros(sale.frontMinor)}</NumberCell>
          <NumberCell>
            {sale.airFrom === null
              ? "–"
              : t("sales.column.airFrom", {
                  amount: euros(sale.airMinor),
                  date: format.date(sale.airFrom),
                })}
          </NumberCell>
        </IndexTable.Row>
      ))}
    </IndexTable>
  );
}
