import { Badge, BlockStack, Box, InlineStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { OrderView } from "#app/plans/orders/order-page.server.ts";
import type { UnitState } from "#app/plans/ledger/unit-states.ts";
import { PlanStateBadge } from "#app/ui/status-badge.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TitledList } from "#app/ui/titled-card.tsx";

/** The order's products, with what the service receives of each. */
export function LinesCard({ lines }: { lines: OrderView["lines"] }) {
  const { t } = useTranslation(["orders", "plans"]);
  const { format } = useShop();
  /** Only what is in force is insured. */
  const sayState = (state: UnitState) =>
    state === "active" ? t("line.inForce") : t("line.contract", { state: t(`plans:state.${state}`) });
  return (
    <TitledList title={t("page.lines")}>
      {lines.map((line) => (
        <Box
          key={line.lineId}
          paddingInline="400"
          paddingBlock="300"
          borderBlockStartWidth="025"
          borderColor="border-secondary"
        >
          <BlockStack gap="200">
            <InlineStack align="space-between" gap="200">
              <BlockStack>
                <Text as="span" fontWeight="medium">
                  {line.title}
                </Text>
                <Text as="span" tone="subdued">
                  {line.categoryId}
                </Text>
              </BlockStack>
              <Text as="span" numeric>
                {t("line.price", {
                  price: format.money(line.priceMinor, line.currency),
                  quantity:
                    line.currentQuantity === line.quantity
                      ? format.number(line.quantity)
                      : t("line.left", {
                          left: format.number(line.currentQuantity),
                          all: format.number(line.quantity),
                        }),
                })}
              </Text>
            </InlineStack>
            <InlineStack gap="100">
              <Badge tone={line.insuranceOffered ? "info" : undefined}>
                {t(line.insuranceOffered ? "line.offered" : "line.notOffered")}
              </Badge>
              {line.insuranceOffered && line.plans.length === 0 && (
                <Badge>{t(line.insuranceSelected ? "line.selected" : "line.notSelected")}</Badge>
              )}
              {line.plans.map(({ state, count }) => (
                <PlanStateBadge
                  key={state}
                  state={state}
                  text={(count > 1 ? `${format.number(count)} × ` : "") + sayState(state)}
                />
              ))}
            </InlineStack>
          </BlockStack>
        </Box>
      ))}
    </TitledList>
  );
}
