/** One plan: as Parasol's ledger has it, and as the service returns it now. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Page } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { recordAccess } from "#app/audit/record.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { notFound } from "#app/platform/form.server.ts";
import { readPlanView } from "#app/plans/orders/order-page.server.ts";
import { PlanStateBadge } from "#app/ui/plan-state-badge.tsx";
import { ServiceProblem } from "#app/ui/service-problem.tsx";
import { PurchaseCard } from "./purchase-card.tsx";
import { ContractCard } from "./contract-card.tsx";

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
          <ContractCard plan={service.value} state={known?.unit.state ?? null} />
        ) : (
          <ServiceProblem problem={service} />
        )}
        {known && <PurchaseCard {...known} />}
      </BlockStack>
    </Page>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
