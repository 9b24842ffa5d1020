import { Badge, BlockStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { OrderView } from "#app/plans/orders/order-page.server.ts";
import { premiumShares } from "#app/plans/statement/statement.ts";
import { StackedKeyValueList } from "#app/ui/details.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";

/** What became of each premium that the customer paid, and whether that adds up. */
export function StatementCard({ order: { statements, units } }: { order: OrderView }) {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  const titleOf = (each: { lineId: string; unitNumber: number }) =>
    units.find(({ lineId, unitNumber }) => lineId === each.lineId && unitNumber === each.unitNumber)
      ?.planTitle ?? each.lineId;
  if (statements.length === 0) return null;
  return (
    <TitledCard title={t("statement.title")}>
      {statements.map(({ currency, paidMinor, shares, unaccounted }) => {
        const named = premiumShares.flatMap((share) =>
          share === "unaccounted" || shares[share] === 0 ? [] : share,
        );
        return (
          <BlockStack key={currency} gap="200">
            <StackedKeyValueList
              items={[
                [t("statement.paid"), format.money(paidMinor, currency)],
                ...named.map((share): [string, string] => [
                  t(`statement.share.${share}`),
                  format.money(shares[share], currency),
                ]),
              ]}
            />
            {unaccounted.length === 0 ? (
              <Text as="p" tone="subdued">
                {t("statement.balanced")}
              </Text>
            ) : (
              <BlockStack gap="100" inlineAlign="start">
                <Badge tone="critical">
                  {t("statement.differs", { amount: format.money(shares.unaccounted, currency) })}
                </Badge>
                <Text as="p">{t("statement.where", { plans: unaccounted.map(titleOf).join(", ") })}</Text>
              </BlockStack>
            )}
          </BlockStack>
        );
      })}
    </TitledCard>
  );
}
