import { Form, useSearchParams } from "@remix-run/react";
import { BlockStack, Button, InlineStack, Link, Text, TextField } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { OrderChoice } from "#app/leads/order-draft.server.ts";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";

interface Props {
  orders: OrderChoice[];
  /** the order that the form was begun from; null: none */
  chosen: { name: string } | null;
}

/** Begins the form from an order: Shopify has no picker for orders and customers. */
export function OrderPicker({ orders, chosen }: Props) {
  const { t } = useTranslation("leads");
  const { format } = useShop();
  const [search] = useSearchParams();
  const query = search.get("find") ?? "";
  const [text, setText] = useState(query);
  if (chosen) {
    return (
      <TitledCard title={t("order.title")}>
        <InlineStack gap="300" blockAlign="center">
          <Text as="p">{t("order.chosen", { name: chosen.name })}</Text>
          <Link url="/app/leads/new">{t("order.clear")}</Link>
        </InlineStack>
      </TitledCard>
    );
  }
  if (orders.length === 0 && query === "") return null;
  return (
    <TitledCard title={t("order.title")} help={t("order.help")}>
      <Form method="get" role="search">
        <TextField
          name="find"
          label={t("order.search")}
          value={text}
          onChange={setText}
          autoComplete="off"
          connectedRight={<Button submit>{t("order.find")}</Button>}
        />
      </Form>
      {orders.length === 0 ? (
        <Text as="p" tone="subdued">
          {t("order.none")}
        </Text>
      ) : (
        <BlockStack gap="200">
          {orders.map(({ orderId, name, purchasedAt, products, email }) => (
            <InlineStack key={orderId} gap="200" align="space-between" blockAlign="center">
              <Text as="p" breakWord>
                {[name, format.date(purchasedAt), products.join(", "), email]
                  .filter((part) => part !== null && part !== "")
                  .join(" · ")}
              </Text>
              <Link url={`/app/leads/new?order=${orderId}`} accessibilityLabel={t("order.useIt", { name })}>
                {t("order.use")}
              </Link>
            </InlineStack>
          ))}
        </BlockStack>
      )}
    </TitledCard>
  );
}
