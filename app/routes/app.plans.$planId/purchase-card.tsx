import { Link } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { PlanView } from "#app/plans/orders/order-page.server.ts";
import { KeyValueList } from "#app/ui/key-value-list.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { usePlanPaymentText } from "#app/ui/use-payment-text.ts";
import { useTouchpointText } from "#app/ui/use-touchpoint-text.ts";

/** The plan as it was bought in the shop. */
export function PurchaseCard({ orderId, orderName, unit, billing }: NonNullable<PlanView["known"]>) {
  const { t } = useTranslation("plans");
  const { format } = useShop();
  const sayPayment = usePlanPaymentText();
  const touchpointName = useTouchpointText();
  const { insuredTitle, insuredPriceMinor, insuredCurrency, activatesOn, expiresOn } = unit;
  const insured =
    insuredTitle !== null && insuredPriceMinor !== null && insuredCurrency !== null
      ? `${insuredTitle}, ${format.money(insuredPriceMinor, insuredCurrency)}`
      : "–";
  return (
    <TitledCard title={t("bought.title")}>
      <KeyValueList
        items={[
          [t("bought.insured"), insured],
          [t("bought.premium"), sayPayment({ ...unit, billing })],
          [t("bought.from"), activatesOn === null ? "–" : format.date(activatesOn)],
          [t("bought.to"), expiresOn === null ? "–" : format.date(expiresOn)],
          [t("bought.touchpoint"), unit.touchpoint === null ? "–" : touchpointName(unit.touchpoint)],
        ]}
      />
      <Link url={`/app/orders/${orderId}`}>{t("page.order", { name: orderName })}</Link>
    </TitledCard>
  );
}
