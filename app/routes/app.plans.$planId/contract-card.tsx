import { Banner, BlockStack, Card, InlineStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Plan } from "#app/insurance/plan.ts";
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
  const { first_name, last_name, email, phone, address } = plan.customer;
  const lines = [
    [first_name, last_name].filter(Boolean).join(" "),
    email,
    phone,
    address.address1,
    address.address2,
    [address.zip_code, address.city].filter(Boolean).join(" "),
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
              [t("fact.price"), format.money(plan.price_minor, plan.currency_code)],
              [t("fact.term"), t("fact.months", { count: plan.term_length })],
              [t("fact.purchased"), format.date(plan.purchase_date)],
              [t("fact.customer"), lines.join(", ")],
              [t("fact.reference"), plan.offer_reference_id],
              [t("fact.order"), plan.order_reference_id],
            ]}
          />
        </BlockStack>
      </Card>
    </>
  );
}
