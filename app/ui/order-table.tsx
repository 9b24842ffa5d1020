import { Badge, BlockStack, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Environment } from "#app/merchants/connection.ts";
import type { ListedOrder } from "#app/plans/orders/order-list.server.ts";
import { PlanStateBadge } from "#app/ui/plan-state-badge.tsx";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";

/** How many plans of one order the list shows; its page shows all. */
const SHOWN = 4;

interface Props {
  orders: ListedOrder[];
  /** the account at the service that is in use: orders of the other one are marked */
  environment: Environment;
}

export function OrderTable({ orders, environment }: Props) {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  return (
    <ListTable
      columns={[
        { title: t("column.order") },
        { title: t("column.plan") },
        { title: t("column.customer") },
        { title: t("column.date"), kind: "short" },
      ]}
      rows={orders.map((order) => ({
        key: order.orderId,
        cells: [
          <InlineStack gap="200" blockAlign="center">
            <Link url={`/app/orders/${order.orderId}`} removeUnderline>
              <Text as="span" fontWeight="semibold">
                {order.name}
              </Text>
            </Link>
            {order.cancelledAt && <Badge>{t("cancelled")}</Badge>}
            {order.environment !== environment && (
              <Badge tone="info">{t(`environment.${order.environment}`)}</Badge>
            )}
          </InlineStack>,
          <Plans units={order.units} />,
          order.email,
          format.dateTime(order.purchasedAt),
        ],
      }))}
    />
  );
}

function Plans({ units }: { units: ListedOrder["units"] }) {
  const { t } = useTranslation("orders");
  if (units.length === 0) {
    return (
      <Text as="span" tone="subdued">
        {t("noPlan")}
      </Text>
    );
  }
  return (
    <BlockStack gap="100">
      {units.slice(0, SHOWN).map(({ lineId, unitNumber, state, contractId }) => (
        <InlineStack key={`${lineId}:${unitNumber}`} gap="200" blockAlign="center">
          <PlanStateBadge state={state} />
          {contractId === null ? (
            <Text as="span" tone="subdued">
              {t("notYet")}
            </Text>
          ) : (
            <Link url={`/app/plans/${encodeURIComponent(contractId)}`} monochrome>
              {contractId}
            </Link>
          )}
        </InlineStack>
      ))}
      {units.length > SHOWN && (
        <Text as="span" tone="subdued">
          {t("more", { count: units.length - SHOWN })}
        </Text>
      )}
    </BlockStack>
  );
}
