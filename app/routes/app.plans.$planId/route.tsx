/** One plan: as Parasol's ledger has it, and as the service returns it now. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Page, Banner, Card, InlineStack, Text, Link } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { recordAccess } from "#app/audit/record.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { notFound } from "#app/platform/form.server.ts";
import { readPlanView } from "#app/plans/orders/order-page.server.ts";
import { PlanStateBadge, StatusBadge } from "#app/ui/status-badge.tsx";
import { ServiceProblem } from "#app/ui/service-problem.tsx";
import type { Plan } from "#app/insurance/plans.ts";
import { KeyValueList } from "#app/ui/details.tsx";
import { useShop } from "#app/ui/shop.tsx";
import type { PlanView } from "#app/plans/orders/order-page.server.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { usePlanPaymentText, useTouchpointText } from "#app/ui/use-plan-texts.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const { shop, actor } = await requireMerchant(request);
  const plan = await readPlanView(shop, params["planId"] ?? "");
  if (!plan) throw notFound();
  await recordAccess({ shop, actor }, "plan_viewed", plan.planId);
  return plan;
}

export default function PlanPage() {
  const { planId, known, service } = useLoaderData<typeof loader>();
  const { t } = useTranslation("plans");
  const back = known
    ? { content: t("page.order", { name: known.orderName }), url: `/app/orders/${known.orderId}` }
    : { content: t("page.orders"), url: "/app/orders" };
  return (
    <Page
      title={t("page.title", { id: planId })}
      subtitle={known?.unit.planTitle}
      backAction={back}
      titleMetadata={known && <PlanStateBadge state={known.unit.state} />}
      secondaryActions={[
        { content: t("page.claims"), url: `/app/claims?plan=${encodeURIComponent(planId)}` },
      ]}
    >
      <BlockStack gap="400">
        {service.state === "answered" ? (
          <ContractCard plan={service.value} differs={known?.differs ?? false} />
        ) : (
          <ServiceProblem problem={service} />
        )}
        {known && <PurchaseCard {...known} />}
      </BlockStack>
    </Page>
  );
}

interface ContractCardProps {
  /** null: the service does not know it */
  plan: Plan | null;
  /** the ledger says otherwise whether it is in force */
  differs: boolean;
}

/** The plan as the service returns it now. */
function ContractCard({ plan, differs }: ContractCardProps) {
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
              [t("fact.order"), plan.orderReferenceId || "–"],
            ]}
          />
        </BlockStack>
      </Card>
    </>
  );
}

/** The plan as it was bought in the shop. */
function PurchaseCard({ orderId, orderName, unit, billing }: NonNullable<PlanView["known"]>) {
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

export { shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
