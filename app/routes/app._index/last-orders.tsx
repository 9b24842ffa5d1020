import { BlockStack, Box, Card, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Environment } from "#app/merchants/connection.ts";
import type { ListedOrder } from "#app/plans/order-list.server.ts";
import { OrderTable } from "#app/ui/order-table.tsx";

/** The latest orders with their plans. */
export function LastOrders({ orders, inUse }: { orders: ListedOrder[]; inUse: Environment }) {
  const { t } = useTranslation("home");
  return (
    <Card padding="0">
      <Box padding="400">
        <Text as="h2" variant="headingMd">
          {t("orders.title")}
        </Text>
      </Box>
      <BlockStack>
        <OrderTable orders={orders} environment={inUse} />
        <Box padding="400">
          <Link url="/app/orders">{t("orders.all")}</Link>
        </Box>
      </BlockStack>
    </Card>
  );
}
