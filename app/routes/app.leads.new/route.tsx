/** A new lead: product, customer, seller. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Banner, BlockStack, Page } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { recordAccess } from "#app/audit/record.server.ts";
import { countryOptions } from "#app/leads/countries.server.ts";
import { createLead } from "#app/leads/create.server.ts";
import { leadForm, leadProblems } from "#app/leads/lead-form.ts";
import { listOrderChoices, readOrderDraft } from "#app/leads/order-draft.server.ts";
import { activeConnection } from "#app/merchants/insurance-connection.server.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { anyObject, parseForm } from "#app/platform/form.server.ts";
import { invalid, refused } from "#app/ui/action-result.ts";
import { ServiceProblem } from "#app/ui/service-problem.tsx";
import { NewLeadForm } from "./new-lead-form.tsx";
import { OrderPicker } from "./order-picker.tsx";
import type { LeadActionResult } from "./lead-message.tsx";

/** The order to begin from (`?order=`), or a search for one (`?find=`). */
const begun = z.object({
  order: z
    .string()
    .regex(/^\d{1,20}$/)
    .nullable()
    .catch(null),
  find: z.string().trim().min(1).max(200).nullable().catch(null),
});

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant, locale, actor } = await requireMerchant(request);
  const { order, find } = begun.parse(Object.fromEntries(new URL(request.url).searchParams));
  const [connection, draft, orders] = await Promise.all([
    activeConnection(shop),
    order === null ? null : readOrderDraft(merchant, order),
    order === null ? listOrderChoices(merchant, find) : [],
  ]);
  if (draft !== null) await recordAccess({ shop, actor }, "order_viewed", draft.orderId);
  if (orders.some(({ email }) => email !== null))
    await recordAccess({ shop, actor }, "list_viewed", "orders");
  return {
    // Nobody should fill in a long form for nothing.
    connected: connection !== null,
    today: toLocalDay(merchant.timezone, new Date()),
    countries: countryOptions(locale),
    orders,
    draft,
    isOrderMissing: order !== null && draft === null,
  };
}

export const action = pageAction(async ({ request }, { merchant, actor }): Promise<LeadActionResult> => {
  const entered = leadForm.safeParse(await parseForm(request, anyObject));
  if (!entered.success) return invalid(fieldProblems(entered.error, leadProblems));
  const result = await createLead(merchant, entered.data, actor);
  switch (result.state) {
    case "created": {
      const location = `/app/leads/${encodeURIComponent(result.leadId)}?created`;
      throw new Response(null, { status: 303, headers: { location } });
    }
    case "invalid":
      return invalid(result.problems);
    case "rejected":
      return refused("rejected", result.serviceMessage);
    default:
      return refused(result.state, "reason" in result ? result.reason : null);
  }
});

export default function NewLead() {
  const { connected, today, countries, orders, draft, isOrderMissing } = useLoaderData<typeof loader>();
  const { t } = useTranslation("leads");
  return (
    <Page title={t("form.title")} backAction={{ content: t("title"), url: "/app/leads" }}>
      {connected ? (
        <BlockStack gap="400">
          {isOrderMissing && <Banner tone="warning">{t("order.missing")}</Banner>}
          <OrderPicker orders={orders} chosen={draft} />
          <NewLeadForm key={draft?.orderId} today={today} countries={countries} draft={draft} />
        </BlockStack>
      ) : (
        <ServiceProblem problem={{ state: "not_connected" }} />
      )}
    </Page>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
