import { Badge, BlockStack, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Environment } from "#app/merchants/connection.ts";
import type { ListedOrder } from "#app/orders/admin/order-list.server.ts";
import { ListTable } from "#app/ui/list-table.tsx";
import type { Formats } from "#app/ui/format.ts";
import { useShop } from "#app/ui/shop.tsx";
import { PlanStateBadge } from "./status-badge.tsx";

/** The list shows this many plans of one order; its page shows all. */
const SHOWN = 4;

interface Props {
  orders: ListedOrder[];
  /** the current account at the insurer: orders of the other one are marked */
  environment: Environment;
}

export function OrderTable({ orders, environment }: Props) {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  return (
    <ListTable
      columns={[
        { title: t("column.order") },
        { title: t("column.products") },
        { title: t("column.plan") },
        { title: t("column.customer") },
        { title: t("column.date"), kind: "short" },
        { title: t("column.premium"), kind: "number" },
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
          <Products lines={order.lines} />,
          <Plans items={order.items} />,
          order.email,
          format.dateTime(order.purchasedAt),
          premiumOf(order, format),
        ],
      }))}
    />
  );
}

/** The payment for the order's insurance; one amount per currency. */
function premiumOf({ items }: ListedOrder, format: Formats): string {
  const byCurrency = Map.groupBy(items, ({ currency }) => currency);
  return [...byCurrency]
    .map(([currency, paid]) =>
      format.money(
        paid.reduce((sum, { premiumMinor }) => sum + premiumMinor, 0),
        currency,
      ),
    )
    .join(" + ");
}

/** The list names this many products of one order; its page has all. */
const NAMED = 2;

function Products({ lines }: { lines: ListedOrder["lines"] }) {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  if (lines.length === 0) return "–";
  return (
    <BlockStack>
      {lines.slice(0, NAMED).map(({ title, quantity }, index) => (
        <Text key={index} as="span">
          {quantity > 1 ? t("pieces", { quantity: format.number(quantity), title }) : title}
        </Text>
      ))}
      {lines.length > NAMED && (
        <Text as="span" tone="subdued">
          {t("moreProducts", { count: lines.length - NAMED })}
        </Text>
      )}
    </BlockStack>
  );
}

function Plans({ items }: { items: ListedOrder["items"] }) {
  const { t } = useTranslation("orders");
  if (items.length === 0) {
    return (
      <Text as="span" tone="subdued">
        {t("noPlan")}
      </Text>
    );
  }
  return (
    <BlockStack gap="100">
      {items.slice(0, SHOWN).map(({ lineId, itemNumber, state, contractId }) => (
        <InlineStack key={`${lineId}:${itemNumber}`} gap="200" blockAlign="center">
          <PlanStateBadge state={state} />
          {contractId === null ? (
            <Text as="span" tone="subdued">
              {t("notYet")}
            </Text>
          ) : (
            <Text as="span">{contractId}</Text>
          )}
        </InlineStack>
      ))}
      {items.length > SHOWN && (
        <Text as="span" tone="subdued">
          {t("more", { count: items.length - SHOWN })}
        </Text>
      )}
    </BlockStack>
  );
}
