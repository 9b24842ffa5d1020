import { BlockStack, Box, Button, ButtonGroup, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { OrderView, UnitView } from "#app/plans/orders/order-page.server.ts";
import { availableUnitActions } from "#app/plans/orders/order-forms.ts";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TitledList } from "#app/ui/titled-card.tsx";
import { useAction } from "#app/ui/use-action.ts";
import { type InsurableProduct, PlanRow } from "./plan-row.tsx";
import { type OrderActionResult, useOrderResultToast } from "./use-order-result-toast.ts";

const underWay = ["pending", "creating", "unknown", "cancelling"];

interface Props {
  /** its name */
  order: string;
  units: UnitView[];
  paid: OrderView["paidForPlans"];
  fulfilment: OrderView["fulfilment"];
  /** of which an item is left to insure */
  products: InsurableProduct[];
  /** the order lacks something of the customer: no contract can be issued yet */
  lacksDetails: boolean;
}

/** The order's plans, one by one, and what can be done about all of them. */
export function PlansCard({ order, units, paid, fulfilment, products, lacksDetails }: Props) {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  const fetcher = useAction<OrderActionResult>();
  const [asking, setAsking] = useState(false);
  useOrderResultToast(order, fetcher.data);
  const running = (intent: string) => fetcher.formData?.get("intent") === intent;
  const canEnd = units.filter((unit) => availableUnitActions(unit).includes("end"));
  return (
    <section id="contracts" aria-label={t("page.plans")}>
      <TitledList
        title={t("page.plans")}
        {...(paid && {
          help: t("page.paidForPlans", {
            count: units.filter(({ movedTo }) => movedTo === null).length,
            premium: format.money(paid.premiumMinor, paid.currency),
          }),
        })}
        action={
          <ButtonGroup>
            {units.some(({ state }) => underWay.includes(state)) && (
              <Button
                loading={running("issue_now")}
                onClick={() => fetcher.submit({ intent: "issue_now" }, { method: "post" })}
              >
                {t("action.issue_now")}
              </Button>
            )}
            {canEnd.length > 1 && (
              <Button tone="critical" loading={running("end_all")} onClick={() => setAsking(true)}>
                {t("action.end_all")}
              </Button>
            )}
          </ButtonGroup>
        }
      >
        {units.length === 0 ? (
          <Box padding="400" paddingBlockStart="0">
            <Text as="p" tone="subdued">
              {t("page.noPlans")}
            </Text>
          </Box>
        ) : (
          <BlockStack>
            {units.map((unit) => (
              <PlanRow
                key={`${unit.lineId}:${unit.unitNumber}`}
                order={order}
                unit={unit}
                fulfilment={fulfilment}
                products={products}
                lacksDetails={lacksDetails}
                alone={canEnd.length < 2}
              />
            ))}
          </BlockStack>
        )}
        <ConfirmModal
          open={asking}
          title={t("confirm.end_all.title", { order })}
          body={t("confirm.end_all.body")}
          confirm={t("action.end_all")}
          leave={t("action.keep_all")}
          destructive
          onConfirm={() => fetcher.submit({ intent: "end_all" }, { method: "post" })}
          onClose={() => setAsking(false)}
        />
      </TitledList>
    </section>
  );
}
