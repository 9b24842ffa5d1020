import { useTranslation } from "react-i18next";
import type { OrderView } from "#app/plans/orders/order-page.server.ts";
import { StackedKeyValueList } from "#app/ui/details.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";

/** What the service receives of the order. */
export function OrderDetailsCard({ order }: { order: OrderView }) {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  const orderText = useOrderText();
  const { paidAt, cancelledAt } = order;
  return (
    <TitledCard title={t("page.facts")}>
      <StackedKeyValueList
        items={[
          [t("fact.id"), order.orderId],
          [t("fact.paid"), paidAt === null ? "–" : format.dateTime(paidAt)],
          ...(cancelledAt === null
            ? []
            : [[t("fact.cancelled"), format.dateTime(cancelledAt)] satisfies [string, string]]),
          [t("fact.payment"), orderText.payment(order.paymentMethod)],
          [t("fact.channel"), orderText.channel(order.salesChannel)],
          [t("fact.environment"), t(`environment.${order.environment}`)],
          [t("fact.record"), t(`record.${order.salesRecordStatus}`)],
        ]}
      />
    </TitledCard>
  );
}

/**
 * Payment method and sales channel of an order in words. Both lists are open-ended: a value without a text of the app
 * is shown as recorded, and marked as another one.
 */
function useOrderText(): {
  payment: (method: string) => string;
  channel: (channel: string) => string;
} {
  const { t } = useTranslation(["orders", "common"]);
  const methods: Partial<Record<string, string>> = t("payment", { returnObjects: true });
  const channels: Partial<Record<string, string>> = t("channel", { returnObjects: true });
  return {
    payment: (method) => methods[method] ?? t("common:unknown.payment", { raw: method }),
    channel: (channel) => channels[channel] ?? t("common:unknown.channel", { raw: channel }),
  };
}
