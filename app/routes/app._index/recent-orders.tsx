import { Box, Link } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Environment } from "#app/merchants/connection.ts";
import type { ListedOrder } from "#app/plans/orders/order-list.server.ts";
import { OrderTable } from "#app/ui/order-table.tsx";
import { TitledList } from "#app/ui/titled-card.tsx";

/** The latest orders with their plans. */
export function RecentOrders({ orders, inUse }: { orders: ListedOrder[]; inUse: Environment }) {
  const { t } = useTranslation("home");
  return (
    <TitledList title={t("orders.title")}>
      <OrderTable orders={orders} environment={inUse} />
      <Box padding="400">
        <Link url="/app/orders">{t("orders.all")}</Link>
      </Box>
    </TitledList>
  );
}
