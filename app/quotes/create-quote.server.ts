/**
 * Creates a quote at the insurer, once for each form that staff send. The intent is a Quote with the form's `requestId`
 * for its id: after a crash or an unclear answer it stays as "unknown", because the insurer lists no quotes, and a person
 * decides whether to send it again.
 */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { findCategorisedVariants } from "#app/catalogue/references/look-up.server.ts";
import { askOnce } from "#app/insurance/ask-once.ts";
import type { InsuranceClient } from "#app/insurance/client.ts";
import type { Lead as MadeLead, NewLead } from "#app/insurance/leads.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { callInsurer, type InsurerResult } from "#app/merchants/insurance-connection.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { readSaleRule } from "#app/merchants/settings.server.ts";
import { readPhone } from "#app/orders/customer.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { db } from "#app/platform/db.server.ts";
import type { Prisma } from "#app/platform/prisma/client.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import { variantName } from "#app/shopify/variant-name.ts";
import { refusalOf, type SaleRule } from "../../extensions/sale-rule.ts";
import type { QuoteForm, QuoteFormProblems, QuoteRequest } from "./quote-form.ts";
import {
  quoteColumns,
  type QuoteEntries,
  openQuoteCustomer,
  saveQuote,
  withLocalExpiry,
} from "./quotes.server.ts";
import { productAgeDays, SENDING_MS } from "./quotes.ts";
import { findInsuredLines, readQuotableOrder } from "./order-draft.server.ts";
import { quoteProblemOf } from "#app/quotes/of-orders/staff-quotes.server.ts";
import { isSuppressed } from "#app/quotes/of-orders/suppression.server.ts";

export type CreateQuoteResult =
  | { state: "created"; quoteId: string }
  /** being sent, or it may exist: its page says what to do */
  | { state: "unconfirmed"; quoteId: string }
  | { state: "invalid"; problems: QuoteFormProblems }
  /** the product is not known (yet), or it is in no insurance category */
  | { state: "unknown_product" | "uninsured_product" }
  /** Shopify does not show the order that the form was begun from */
  | { state: "order_missing" }
  | { state: OrderProblem }
  /** the insurer refused it, with its reason */
  | { state: "rejected"; insurerMessage: string }
  | Exclude<InsurerResult<unknown>, { state: "answered" }>;

export async function createQuote(
  merchant: Merchant,
  quote: QuoteRequest,
  form: QuoteForm,
  actor: Actor,
): Promise<CreateQuoteResult> {
  const { shop } = merchant;
  const phone = readPhone(form.phone, form.country);
  if (phone === null) return { state: "invalid", problems: { phone: "phone" } };
  const rule = await readSaleRule(shop);
  const refusal = refusalOf(rule, {
    delivery: { country: form.country, postcode: form.zip },
    ageDays: productAgeDays(form.purchaseDate, toLocalDay(merchant.timezone, new Date())),
  });
  if (refusal === "country") return { state: "invalid", problems: { country: "not_sold_there" } };
  if (refusal === "product_age") return { state: "invalid", problems: { purchaseDate: "too_old" } };
  if (await isSuppressed(shop, form.email)) return { state: "invalid", problems: { email: "suppressed" } };
  const [variant] = await findCategorisedVariants(shop, [form.variantId]);
  if (!variant) return { state: "unknown_product" };
  if (variant.categoryId === null) return { state: "uninsured_product" };
  const order = form.orderId === null ? null : await readQuotableOrder(shop, form.orderId);
  if (form.orderId !== null && order === null) return { state: "order_missing" };
  const orderProblem = order && (await findOrderProblem(merchant, order, rule));
  if (orderProblem !== null) return { state: orderProblem };
  // As for the quotes that an order gets by itself: what was bought is insured at its price before discounts.
  const bought = order?.lines.filter(({ variantId }) => variantId === variant.variantId) ?? [];
  const insured = order && bought.length > 0 ? await findInsuredLines(shop, order) : new Set<string>();
  const uninsured = bought.find(({ id }) => !insured.has(id));
  if (bought.length > 0 && !uninsured) return { state: "invalid", problems: { variantId: "insured" } };
  const boughtAt = uninsured?.amounts[0];
  const title = variantName(variant.productTitle, variant.title);
  const request: NewLead = {
    purchaseDate: form.purchaseDate,
    categoryId: variant.categoryId,
    ...(form.chargedBy === "merchant" ? { chargedBy: "merchant" } : {}),
    customer: {
      email: form.email,
      firstName: form.firstName,
      lastName: form.lastName,
      phone,
      birthDate: form.birthDate,
      address: {
        address1: form.address1,
        address2: form.address2,
        zipCode: form.zip,
        city: form.city,
        country: form.country,
      },
    },
    variant: {
      referenceId: variant.variantId,
      title,
      priceMinor: boughtAt?.unitPriceMinor ?? variant.priceMinor,
      currencyCode: boughtAt?.currency ?? merchant.currency,
    },
    ...(form.sellerFirstName !== null && form.sellerLastName !== null
      ? { seller: { firstName: form.sellerFirstName, lastName: form.sellerLastName } }
      : {}),
  };
  const { environment, timezone } = merchant;
  const result = await callInsurer(
    shop,
    (connection) => requestQuote({ ...connection, shop, timezone, actor }, quote, form, request),
    environment,
  );
  return result.state === "answered" ? result.value : result;
}

/** Why the order that a form was begun from gets no quote, as for its own quotes (of-orders/staff-quotes.server.ts). */
type OrderProblem = `order_${NonNullable<ReturnType<typeof quoteProblemOf>> | "company" | "other_account"}`;

async function findOrderProblem(
  { shop, environment }: Merchant,
  order: ShopOrder,
  rule: SaleRule,
): Promise<OrderProblem | null> {
  const stored = await db.order.findUnique({
    where: { shop_orderId: { shop, orderId: order.id } },
    select: { erasedAt: true, cancelledAt: true },
  });
  const problem = quoteProblemOf(order, stored);
  if (problem !== null) return `order_${problem}`;
  if (refusalOf(rule, { isCompany: order.business }) === "company") return "order_company";
  return order.test === (environment === "test") ? null : "order_other_account";
}

interface QuoteSender {
  shop: string;
  timezone: string;
  environment: Environment;
  client: InsuranceClient;
  actor: Actor;
}

async function requestQuote(
  { shop, timezone, environment, client, actor }: QuoteSender,
  { requestId, attempt: lastAttempt }: QuoteRequest,
  form: QuoteForm,
  request: NewLead,
): Promise<CreateQuoteResult> {
  const attempt = lastAttempt + 1;
  const intent = { shop, environment, quoteId: requestId };
  const dataKey = await dataKeyOf(shop);
  const columns = quoteColumns(
    dataKey,
    request,
    { ...request, ...unconfirmed, chargedBy: request.chargedBy ?? "the service" },
    Object.fromEntries(Object.entries(form).map(([name, value]) => [name, value ?? ""])),
  );
  /** A late answer of an earlier attempt leaves the intent of a later one as it is. */
  const sent = { ...intent, attempt, status: { in: ["sending", "unknown"] } };
  // Of an earlier request of this form it is still not known whether it was carried out.
  const dropIntent = () =>
    lastAttempt === 0
      ? db.quote.deleteMany({ where: sent })
      : db.quote.updateMany({ where: sent, data: { status: "unknown", attempt: lastAttempt } });
  const outcome = await askOnce<NewLead, MadeLead, CreateQuoteResult>({
    canLookUp: false,
    saveIntent: async () => {
      const row = { ...columns, attempt, sentAt: new Date() };
      const { count } =
        lastAttempt === 0
          ? await db.quote.createMany({ data: [{ ...intent, requestId, ...row }], skipDuplicates: true })
          : await db.quote.updateMany({
              where: { ...intent, attempt: lastAttempt, ...isUnknown() },
              data: row,
            });
      return count === 1 ? request : null;
    },
    request: async (newQuote) => withLocalExpiry(timezone, await client.leads.create(newQuote)),
    saveCreated: async (newQuote, made) => {
      await db.$transaction(async (tx) => {
        const { count } = await tx.quote.deleteMany({ where: sent });
        const key = { shop, environment, requestId: count === 1 ? requestId : null };
        await saveQuote(tx, dataKey, key, newQuote, made);
        await recordAudit({ shop, actor, action: "quote_created", subject: made.id }, tx);
      });
      return { state: "created", quoteId: made.id };
    },
    saveRefused: async (_, { insurerMessage }) => {
      await dropIntent();
      return { state: "rejected", insurerMessage };
    },
    saveUncertain: async () => {
      await db.quote.updateMany({ where: sent, data: { status: "unknown" } });
      return { state: "unconfirmed", quoteId: requestId };
    },
    saveNotDone: dropIntent,
  });
  if (outcome !== null) return outcome;
  // The same form was sent twice, or its quote was deleted meanwhile.
  const existing = await db.quote.findFirst({ where: { shop, environment, requestId } });
  return existing === null || existing.quoteId === requestId
    ? { state: "unconfirmed", quoteId: requestId }
    : { state: "created", quoteId: existing.quoteId };
}

/** What the insurer has not said yet. */
const unconfirmed = {
  status: "sending",
  expirationDate: "",
  subscriptionLink: "",
  signatureLink: null,
  variant: null,
  offers: [],
};

/** Its request had no clear answer, or its process is gone. */
const isUnknown = (): Prisma.QuoteWhereInput => ({
  OR: [{ status: "unknown" }, { status: "sending", sentAt: { lt: new Date(Date.now() - SENDING_MS) } }],
});

export interface UnconfirmedQuote extends QuoteRequest {
  values: QuoteEntries;
  productTitle: string;
}

/** What staff entered for a quote that the insurer has not confirmed. Null: there is none to send again. */
export async function readUnconfirmedQuote(
  { shop, environment }: Merchant,
  requestId: string,
): Promise<UnconfirmedQuote | null> {
  const quote = await db.quote.findFirst({
    where: { shop, environment, quoteId: requestId, requestId, ...isUnknown() },
  });
  if (!quote || quote.sealedCustomer === null) return null;
  const { entries = {} } = openQuoteCustomer(await dataKeyOf(shop), quote.sealedCustomer);
  return { requestId, attempt: quote.attempt, values: entries, productTitle: quote.productTitle };
}

/** Staff need an unconfirmed quote no more. @returns false: it is being sent, or confirmed */
export async function dropUnconfirmedQuote(
  { shop, environment }: Merchant,
  requestId: string,
  actor: Actor,
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const { count } = await tx.quote.deleteMany({
      where: { shop, environment, quoteId: requestId, ...isUnknown() },
    });
    if (count > 0) await recordAudit({ shop, actor, action: "quote_dropped" }, tx);
    return count > 0;
  });
}
