/** One order: its contracts, tasks, lines, customer and history. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Badge, BlockStack, InlineStack, Layout, Page } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { recordAccess } from "#app/audit/record.server.ts";
import { readOrderClaims } from "#app/claims/order-claims.server.ts";
import { countryOptions } from "#app/quotes/countries.server.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { notFound, parseForm } from "#app/platform/form.server.ts";
import { endInsurance, issueNow, type OrderActionOutcome } from "#app/orders/admin/order-actions.server.ts";
import { type OrderView, readOrderView } from "#app/orders/admin/order-page.server.ts";
import { customerDataForm, customerDataProblems, itemActions } from "#app/orders/admin/order-forms.ts";
import { saveCustomerData } from "#app/orders/admin/save-customer-data.server.ts";
import { refundEnded, runItemAction, type TaskActionOutcome } from "#app/orders/tasks/task-actions.server.ts";
import { sendMailAgain } from "#app/outbox/outbox.server.ts";
import { invalid, refused, success } from "#app/ui/action-result.ts";
import { useShop } from "#app/ui/shop.tsx";
import { useCopyToClipboard } from "#app/ui/use-action.ts";
import { ClaimCard, MailsCard } from "./support-cards.tsx";
import { CustomerCard } from "./customer-card.tsx";
import {
  HistoryCard,
  LinesCard,
  OrderDetailsCard,
  StatementCard,
  TasksCard,
  WhyCard,
} from "./order-cards.tsx";
import { type InsurableProduct, PlansCard } from "./plans-card.tsx";
import type { OrderActionResult } from "./use-order-result-toast.ts";

export async function loader({ request, params }: LoaderFunctionArgs) {
  const { shop, actor, locale } = await requireMerchant(request);
  const order = await readOrderView(shop, params["orderId"] ?? "", locale);
  if (!order) throw notFound();
  if (order.customer !== null) await recordAccess({ shop, actor }, "order_viewed", order.orderId);
  return {
    order,
    products: insurableProducts(order),
    countries: countryOptions(locale),
    // The insurer is queried while the page is sent.
    knownClaims: readOrderClaims(shop, order.orderId),
  };
}

/** The premium is refunded with the end of the insurance. */
const refund = z
  .literal("yes")
  .optional()
  .transform((value) => value === "yes");

const intents = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("item"),
    action: z.enum(itemActions),
    lineId: z.string(),
    itemNumber: z.coerce.number().int().positive(),
    /** the product to insure, for a plan that names none */
    insuredLineId: z.string().nullable().default(null),
    refund,
  }),
  z.object({ intent: z.literal("end_all"), refund }),
  z.object({ intent: z.literal("issue_now") }),
  z.object({ intent: z.literal("mail_again"), mailId: z.string() }),
  z.looseObject({ intent: z.literal("customer_data") }),
]);

export const action = pageAction(async ({ request, params }, { shop, actor }): Promise<OrderActionResult> => {
  const orderId = params["orderId"] ?? "";
  const form = await parseForm(request, intents);
  switch (form.intent) {
    case "item": {
      const { action, lineId, itemNumber, insuredLineId } = form;
      const key = { orderId, lineId, itemNumber };
      const result = await runItemAction(shop, key, action, actor, insuredLineId);
      if (result.state === "done" && action === "end" && form.refund)
        return toRefundResult(await refundEnded(shop, orderId, [key], actor));
      if (result.state === "done") return success(action);
      if (result.state === "failed") return refused(result.state, result.reason);
      return refused(
        result.state === "conflict" && action === "confirm_cancelled" ? "not_cancelled" : result.state,
      );
    }
    case "end_all": {
      const { outcome, items } = await endInsurance(shop, orderId, actor);
      if (outcome === "done" && form.refund)
        return toRefundResult(await refundEnded(shop, orderId, items, actor));
      return toResult("end_all", outcome);
    }
    case "issue_now":
      return toResult("issue_now", await issueNow(shop, orderId, actor));
    case "mail_again":
      return (await sendMailAgain(shop, orderId, form.mailId, actor))
        ? success("mail_again")
        : refused("conflict");
    case "customer_data": {
      const entered = customerDataForm.safeParse(form);
      if (!entered.success) return invalid(fieldProblems(entered.error, customerDataProblems));
      const result = await saveCustomerData(shop, orderId, entered.data, actor);
      return result.state === "invalid" ? invalid(result.problems) : toResult("customer_data", result.state);
    }
  }
});

/** The insurance has ended, whatever became of the refund. */
function toRefundResult(outcome: TaskActionOutcome): OrderActionResult {
  if (outcome.state === "done") return success("end_refunded");
  if (outcome.state === "no_permission") return refused("refund_no_permission");
  return refused("not_refunded", "reason" in outcome ? outcome.reason : null);
}

function toResult(
  action: "end_all" | "issue_now" | "customer_data",
  outcome: OrderActionOutcome,
): OrderActionResult {
  return outcome === "done" ? success(action) : refused(outcome);
}

/** The products with an item that has no plan, with the price for the contract: the one before discounts. */
function insurableProducts({ lines, items }: OrderView): InsurableProduct[] {
  const insured = (line: string) =>
    items.filter((item) => item.insuredLineId === line && item.wanted && item.state !== "cancelled").length;
  return lines
    .filter(({ lineId, currentQuantity }) => currentQuantity > insured(lineId))
    .map(({ lineId, title, listPriceMinor, currency }) => ({
      lineId,
      title,
      priceMinor: listPriceMinor,
      currency,
    }));
}

export default function OrderPage() {
  const { order, products, countries, knownClaims } = useLoaderData<typeof loader>();
  const { t } = useTranslation("orders");
  const { format } = useShop();
  const copy = useCopyToClipboard();
  const { insureLink, claims } = order;
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
        ...(insureLink === null
          ? []
          : [{ content: t("page.copyInsureLink"), onAction: () => void copy(insureLink) }]),
        ...(claims === null
          ? []
          : [{ content: t("page.copyClaimLink"), onAction: () => void copy(claims.page) }]),
        { content: t("page.quote"), url: `/app/quotes/new?order=${order.orderId}` },
        { content: t("page.open"), url: `shopify://admin/orders/${order.orderId}`, target: "_top" },
      ]}
    >
      <Layout>
        <Layout.Section>
          <BlockStack gap="400">
            <TasksCard order={order} />
            <PlansCard
              order={order.name}
              items={order.items}
              knownClaims={knownClaims}
              claims={claims}
              quoteContracts={order.quoteContracts}
              products={products}
              lacksDetails={order.missing.length > 0}
              paid={order.paidForPlans}
              fulfilment={order.fulfilment}
            />
            <LinesCard lines={order.lines} />
            <HistoryCard history={order.history} failedWebhooks={order.failedWebhooks} items={order.items} />
          </BlockStack>
        </Layout.Section>
        <Layout.Section variant="oneThird">
          <BlockStack gap="400">
            <CustomerCard order={order} countries={countries} />
            {claims !== null && <ClaimCard claims={claims} />}
            <WhyCard order={order} />
            <StatementCard order={order} />
            <MailsCard order={order.name} mails={order.mails} />
            <OrderDetailsCard order={order} />
          </BlockStack>
        </Layout.Section>
      </Layout>
    </Page>
  );
}

export { clientAction, shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
