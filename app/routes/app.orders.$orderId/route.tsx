/** One order: its plans, what needs a person, its lines, whom it insures, what happened, and what was received. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Badge, BlockStack, InlineStack, Layout, Page } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { notFound } from "#app/platform/form.server.ts";
import { endInsurance, saveCustomerData, issueNow } from "#app/plans/orders/order-actions.server.ts";
import { readOrderView } from "#app/plans/orders/order-page.server.ts";
import {
  toCustomerDataProblems,
  findCustomerDataProblems,
  customerDataForm,
} from "#app/plans/orders/customer-data-form.ts";
import { runUnitAction } from "#app/plans/tasks/task-actions.server.ts";
import { unitActions } from "#app/plans/orders/unit-actions.ts";
import { useShop } from "#app/ui/shop.tsx";
import type { OrderActionResult } from "./answer.ts";
import { CustomerCard } from "./customer-card.tsx";
import { EventsCard } from "./events-card.tsx";
import { OrderDetailsCard } from "./order-details-card.tsx";
import { HistoryCard } from "./history-card.tsx";
import { LinesCard } from "./lines-card.tsx";
import { PlansCard } from "./plans-card.tsx";
import { TasksCard } from "./tasks-card.tsx";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const { shop } = await requireMerchant(request);
  const order = await readOrderView(shop, params["orderId"] ?? "");
  if (!order) throw notFound();
  return { order };
}

const intents = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("unit"),
    action: z.enum(unitActions),
    lineId: z.string(),
    unitNumber: z.coerce.number().int().positive(),
  }),
  z.object({ intent: z.enum(["end_all", "issue_now", "customer_data"]) }),
]);

export async function action({ request, params }: ActionFunctionArgs): Promise<OrderActionResult> {
  const { shop } = await requireMerchant(request);
  const orderId = params["orderId"] ?? "";
  const form = Object.fromEntries(await request.formData());
  const parsed = intents.safeParse(form);
  if (!parsed.success) throw new Response(null, { status: 400 });
  const asked = parsed.data;
  switch (asked.intent) {
    case "unit":
      return {
        did: asked.action,
        ...(await runUnitAction(
          shop,
          { orderId, lineId: asked.lineId, unitNumber: asked.unitNumber },
          asked.action,
        )),
      };
    case "end_all":
      return { did: "end_all", state: await endInsurance(shop, orderId) };
    case "issue_now":
      return { did: "issue_now", state: await issueNow(shop, orderId) };
    case "customer_data": {
      const supplied = customerDataForm.safeParse(form);
      if (!supplied.success)
        return { did: "customer_data", state: "invalid", problems: findCustomerDataProblems(supplied.error) };
      const result = await saveCustomerData(shop, orderId, supplied.data);
      return result.state === "incomplete"
        ? { did: "customer_data", state: "invalid", problems: toCustomerDataProblems(result.fields) }
        : { did: "customer_data", state: result.state };
    }
  }
}

export default function OrderPage() {
  const { order } = useLoaderData<typeof loader>();
  const { t } = useTranslation("orders");
  const { format } = useShop();
  return (
    <Page
      title={t("page.title", { name: order.name })}
      subtitle={format.dateTime(order.purchasedAt)}
      backAction={{ content: t("title"), url: "/app/orders" }}
      titleMetadata={
        <InlineStack gap="100">
          {order.cancelledAt && <Badge>{t("cancelled")}</Badge>}
          {order.environment === "test" && <Badge tone="info">{t("environment.test")}</Badge>}
        </InlineStack>
      }
      secondaryActions={[
        { content: t("page.open"), url: `shopify://admin/orders/${order.orderId}`, target: "_top" },
      ]}
    >
      <Layout>
        <Layout.Section>
          <BlockStack gap="400">
            <TasksCard tasks={order.tasks} />
            <PlansCard units={order.units} />
            <LinesCard lines={order.lines} />
            <HistoryCard history={order.history} units={order.units} />
            <EventsCard events={order.events} />
          </BlockStack>
        </Layout.Section>
        <Layout.Section variant="oneThird">
          <BlockStack gap="400">
            <CustomerCard order={order} />
            <OrderDetailsCard order={order} />
          </BlockStack>
        </Layout.Section>
      </Layout>
    </Page>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
