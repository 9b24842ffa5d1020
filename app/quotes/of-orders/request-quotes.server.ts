/**
 * Requests the quotes of an order's items from the insurer, each at most once. The specification names bulk creation
 * but does not show its wrapping, so each quote is one request, in the form that the resource's own fields show.
 */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { isPage } from "#app/platform/web-address.ts";
import { askOnce } from "#app/insurance/ask-once.ts";
import type { InsuranceClient } from "#app/insurance/client.ts";
import { type Lead as MadeLead, type NewLead, otherProduct } from "#app/insurance/leads.ts";
import type { NewCustomer } from "#app/insurance/customer.ts";
import { appendToBook, readOrderBook } from "#app/orders/book/book.server.ts";
import { type EventOf, itemKeyOf } from "#app/orders/book/events.ts";
import type { Quote } from "#app/orders/book/quotes.ts";
import { saveQuote, withLocalExpiry } from "#app/quotes/quotes.server.ts";
import { type DataKey, digest } from "#app/merchants/data-key.server.ts";
import type { Seller } from "#app/merchants/merchant.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { askQuote } from "./quote-requests.server.ts";

interface QuoteRequestContext {
  shop: string;
  orderId: string;
  client: InsuranceClient;
  dataKey: DataKey;
  customer: NewCustomer;
  /** the shop's */
  timezone: string;
  /** `YYYY-MM-DD` */
  purchaseDate: string;
  /** null: no person, the order gets it automatically */
  by: { actor: Actor; seller: Seller | null } | null;
}

export type QuoteRequestResult =
  | { state: "open" }
  | { state: "unknown" }
  /** `insurerMessage` is the insurer's reason; null: it has no offer */
  | { state: "refused"; insurerMessage: string | null };

/** @throws InsuranceError where nothing was done and later may be better */
export async function requestDueQuotes(context: Omit<QuoteRequestContext, "by">): Promise<void> {
  const { shop, orderId, timezone } = context;
  const emailDigest = digest(context.dataKey, context.customer.email);
  const book = await readOrderBook(shop, orderId);
  const due = book?.order.quotes.filter(({ state }) => state === "due") ?? [];
  for (const quote of due)
    await requestQuote({ ...context, by: null }, () =>
      askQuote(shop, orderId, quote, { timezone, emailDigest }),
    );
}

/** Longer addresses do not come through every mail program and proxy. */
const MAX_LINK = 4_000;

/**
 * Whether the customer could do anything with it. Staff do not read it before they do, so one for another product than was
 * requested is not used.
 */
const hasUse = (quote: MadeLead, { variant }: NewLead): boolean =>
  quote.offers.length > 0 &&
  isPage(quote.subscriptionLink) &&
  quote.subscriptionLink.length <= MAX_LINK &&
  otherProduct(quote, variant) === null;

/**
 * Requests a quote, once: the insurer lists no quotes, so one with an unknown outcome is never requested again.
 * @param saveIntent stores that it is being sent; null: it is not to be sent
 * @returns null: it was not sent
 * @throws InsuranceError where nothing was done
 */
export async function requestQuote(
  context: QuoteRequestContext,
  saveIntent: () => Promise<Quote | null>,
): Promise<QuoteRequestResult | null> {
  const { shop, client, dataKey, customer, timezone, purchaseDate, by } = context;
  const toRequest = ({ planned }: Quote): NewLead => ({
    purchaseDate,
    categoryId: planned.categoryId,
    customer,
    variant: {
      referenceId: planned.variantId,
      title: planned.title,
      priceMinor: planned.priceMinor,
      currencyCode: planned.currency,
    },
    ...(by?.seller ? { seller: by.seller } : {}),
  });
  return askOnce<Quote, MadeLead, QuoteRequestResult>({
    canLookUp: false,
    saveIntent,
    request: async (asked) => withLocalExpiry(timezone, await client.leads.create(toRequest(asked))),
    saveCreated: async (asked, quote) => {
      const { environment } = asked.planned;
      const lead = toRequest(asked);
      const isUsable = hasUse(quote, lead);
      await db.$transaction(async (tx) => {
        await saveQuote(tx, dataKey, { shop, environment, requestId: null }, lead, quote);
        if (by) {
          const entry = { shop, actor: by.actor, action: "quote_created", subject: quote.id } as const;
          await recordAudit(entry, tx);
        }
        await saveAnswer(tx, context, asked, isUsable ? "made" : "no_offer", quote);
      });
      return isUsable ? { state: "open" } : { state: "refused", insurerMessage: null };
    },
    saveRefused: async (asked, { insurerMessage }) => {
      await db.$transaction((tx) => saveAnswer(tx, context, asked, "refused"));
      return { state: "refused", insurerMessage };
    },
    saveUncertain: async (asked) => {
      await db.$transaction((tx) => saveAnswer(tx, context, asked, "unclear"));
      return { state: "unknown" };
    },
    saveNotDone: (asked) => db.$transaction((tx) => saveAnswer(tx, context, asked, "not_done")),
  });
}

async function saveAnswer(
  tx: Transaction,
  { shop, orderId, by }: QuoteRequestContext,
  asked: Quote,
  outcome: EventOf<"quote_answered">["outcome"],
  made?: Pick<MadeLead, "id" | "expirationDate">,
): Promise<void> {
  const answer = {
    type: "quote_answered",
    quote: itemKeyOf(asked),
    attempt: asked.attempt,
    outcome,
    quoteId: made?.id ?? null,
    expiresOn: made?.expirationDate ?? null,
  } as const;
  await appendToBook(tx, shop, orderId, () => [answer], { sendsJob: false, isWorker: by === null });
}
