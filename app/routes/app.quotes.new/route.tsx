/** A new quote: product, customer, seller. */
import { randomUUID } from "node:crypto";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, Form, useSearchParams } from "@remix-run/react";
import { Banner, BlockStack, Page, Button, InlineStack, Link, Text, TextField } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { useState } from "react";
import { recordAccess } from "#app/audit/record.server.ts";
import { countryOptions } from "#app/quotes/countries.server.ts";
import { createQuote, readUnconfirmedQuote } from "#app/quotes/create-quote.server.ts";
import { quoteForm, quoteProblems, quoteRequest } from "#app/quotes/quote-form.ts";
import { listOrderChoices, readOrderDraft } from "#app/quotes/order-draft.server.ts";
import { activeConnection } from "#app/merchants/insurance-connection.server.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { invalid, refused } from "#app/ui/action-result.ts";
import { InsurerProblem } from "#app/ui/insurer-problem.tsx";
import type { OrderChoice } from "#app/quotes/order-draft.server.ts";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { NewQuoteForm } from "./new-quote-form.tsx";
import type { QuoteActionResult } from "./quote-message.tsx";

/** The order to begin from (`?order=`), a search for one (`?find=`), or the quote to send again (`?again=`). */
const begun = z.object({
  order: z
    .string()
    .regex(/^\d{1,20}$/)
    .nullable()
    .catch(null),
  find: z.string().trim().min(1).max(200).nullable().catch(null),
  again: z.uuid().nullable().catch(null),
});

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant, locale, actor } = await requireMerchant(request);
  const { order, find, again } = begun.parse(Object.fromEntries(new URL(request.url).searchParams));
  const [connection, draft, unconfirmed, orders] = await Promise.all([
    activeConnection(shop),
    order === null ? null : readOrderDraft(merchant, order),
    again === null ? null : readUnconfirmedQuote(merchant, again),
    order === null && again === null ? listOrderChoices(merchant, find) : [],
  ]);
  if (unconfirmed !== null) await recordAccess({ shop, actor }, "quote_viewed", unconfirmed.requestId);
  if (draft !== null) await recordAccess({ shop, actor }, "order_viewed", draft.orderId);
  if (orders.some(({ email }) => email !== null))
    await recordAccess({ shop, actor }, "list_viewed", "orders");
  return {
    // Without an account the page says so before staff fill in a long form.
    connected: connection !== null,
    today: toLocalDay(merchant.timezone, new Date()),
    countries: countryOptions(locale),
    orders,
    draft,
    isOrderMissing: order !== null && draft === null,
    unconfirmed: unconfirmed && {
      values: unconfirmed.values,
      products: [{ variantId: unconfirmed.values.variantId ?? "", title: unconfirmed.productTitle }],
    },
    request: { requestId: unconfirmed?.requestId ?? randomUUID(), attempt: unconfirmed?.attempt ?? 0 },
  };
}

export const action = pageAction(async ({ request }, { merchant, actor }): Promise<QuoteActionResult> => {
  const fields = await parseForm(request, quoteRequest);
  const entered = quoteForm.safeParse(fields);
  if (!entered.success) return invalid(fieldProblems(entered.error, quoteProblems));
  const result = await createQuote(merchant, fields, entered.data, actor);
  switch (result.state) {
    case "created": {
      const location = `/app/quotes/${encodeURIComponent(result.quoteId)}?created`;
      throw new Response(null, { status: 303, headers: { location } });
    }
    case "unconfirmed":
      throw new Response(null, { status: 303, headers: { location: `/app/quotes/${result.quoteId}` } });
    case "invalid":
      return invalid(result.problems);
    case "rejected":
      return refused("rejected", result.insurerMessage);
    default:
      return refused(result.state, "reason" in result ? result.reason : null);
  }
});

export default function NewLead() {
  const { connected, today, countries, orders, draft, isOrderMissing, unconfirmed, request } =
    useLoaderData<typeof loader>();
  const { t } = useTranslation("quotes");
  return (
    <Page title={t("form.title")} backAction={{ content: t("title"), url: "/app/quotes" }}>
      {connected ? (
        <BlockStack gap="400">
          {isOrderMissing && <Banner tone="warning">{t("order.missing")}</Banner>}
          <OrderPicker orders={orders} chosen={draft} />
          <NewQuoteForm
            key={draft?.orderId ?? (unconfirmed && request.requestId)}
            today={today}
            countries={countries}
            draft={draft ?? unconfirmed}
            request={request}
          />
        </BlockStack>
      ) : (
        <InsurerProblem problem={{ state: "not_connected" }} />
      )}
    </Page>
  );
}

interface OrderPickerProps {
  orders: OrderChoice[];
  /** the order that the form began from; null: none */
  chosen: { name: string } | null;
}

/** Begins the form from an order. Shopify has no picker for orders and customers. */
function OrderPicker({ orders, chosen }: OrderPickerProps) {
  const { t } = useTranslation("quotes");
  const { format } = useShop();
  const [search] = useSearchParams();
  const query = search.get("find") ?? "";
  const [text, setText] = useState(query);
  if (chosen) {
    return (
      <TitledCard title={t("order.title")}>
        <InlineStack gap="300" blockAlign="center">
          <Text as="p">{t("order.chosen", { name: chosen.name })}</Text>
          <Link url="/app/quotes/new">{t("order.clear")}</Link>
        </InlineStack>
      </TitledCard>
    );
  }
  if (orders.length === 0 && query === "") return null;
  return (
    <TitledCard title={t("order.title")} help={t("order.help")}>
      <Form method="get" role="search">
        <TextField
          name="find"
          label={t("order.search")}
          value={text}
          onChange={setText}
          autoComplete="off"
          connectedRight={<Button submit>{t("order.find")}</Button>}
        />
      </Form>
      {orders.length === 0 ? (
        <Text as="p" tone="subdued">
          {t("order.none")}
        </Text>
      ) : (
        <BlockStack gap="200">
          {orders.map(({ orderId, name, purchasedAt, products, email }) => (
            <InlineStack key={orderId} gap="200" align="space-between" blockAlign="center">
              <Text as="p" breakWord>
                {[name, format.date(purchasedAt), products.join(", "), email]
                  .filter((part) => part !== null && part !== "")
                  .join(" · ")}
              </Text>
              <Link url={`/app/quotes/new?order=${orderId}`} accessibilityLabel={t("order.useIt", { name })}>
                {t("order.use")}
              </Link>
            </InlineStack>
          ))}
        </BlockStack>
      )}
    </TitledCard>
  );
}

export { clientAction, shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
