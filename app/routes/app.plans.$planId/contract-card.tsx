import { Banner, BlockStack, Card, InlineStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Plan } from "#app/insurance/plans.ts";
import type { UnitState } from "#app/plans/ledger/unit-states.ts";
import { KeyValueList } from "#app/ui/key-value-list.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";

interface Props {
  /** null: the service does not know it */
  plan: Plan | null;
  /** as the ledger has it; null where it is not in it */
  state: UnitState | null;
}

/** The plan as the service returns it now. */
export function ContractCard({ plan, state }: Props) {
  const { t } = useTranslation("plans");
  const { format } = useShop();
  if (plan === null) return <Banner tone="warning">{t("service.unknown")}</Banner>;
  const { firstName, lastName, email, phone, address } = plan.customer;
  const lines = [
    [firstName, lastName].filter(Boolean).join(" "),
    email,
    phone,
    address.address1,
    address.address2,
    [address.zipCode, address.city].filter(Boolean).join(" "),
    address.country,
  ].filter(Boolean);
  const differs =
    (state === "active" && plan.status === "cancelled") ||
    (state === "cancelled" && plan.status === "active");
  return (
    <>
      {differs && <Banner tone="warning">{t("service.differs")}</Banner>}
      <Card>
        <BlockStack gap="300">
          <InlineStack gap="200" blockAlign="center">
            <Text as="h2" variant="headingMd">
              {t("service.title")}
            </Text>
            <StatusBadge
              status={plan.status}
              labels={{ active: t("state.active"), cancelled: t("state.cancelled") }}
              tones={{ active: "success" }}
            />
          </InlineStack>
          <KeyValueList
            items={[
              [t("fact.title"), plan.title],
              [t("fact.price"), format.money(plan.priceMinor, plan.currencyCode)],
              [t("fact.term"), t("fact.months", { count: plan.termMonths })],
              [t("fact.purchased"), format.date(plan.purchaseDate)],
              [t("fact.customer"), lines.join(", ")],
              [t("fact.reference"), plan.offerReferenceId],
              [t("fact.order"), plan.orderReferenceId],
            ]}
          />
        </BlockStack>
      </Card>
    </>
  );
}
