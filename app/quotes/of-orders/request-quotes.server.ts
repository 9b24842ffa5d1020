/**
 * Requests the quotes of an order's items from the insurer, each at most once. The specification names bulk creation
 * but does not show its wrapping, so each quote is one request, in the form that the resource's own fields show.
 */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { isPage } from "#app/catalogue/references/reference.ts";
import { askOnce } from "#app/insurance/ask-once.ts";
import type { InsuranceClient } from "#app/insurance/client.ts";
import type { Lead as MadeLead, NewLead } from "#app/insurance/leads.ts";
import type { NewCustomer } from "#app/insurance/customer.ts";
import { saveQuote, withLocalExpiry } from "#app/quotes/quotes.server.ts";
import { type DataKey, digest } from "#app/merchants/data-key.server.ts";
import type { Seller } from "#app/merchants/merchant.ts";
import { db } from "#app/platform/db.server.ts";
import { lockQuote, dropSent, listDue, moveSent, type OrderQuoteRow } from "./quote-requests.server.ts";

interface QuoteRequestContext {
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
export async function requestDueQuotes(
  shop: string,
  orderId: string,
  context: Omit<QuoteRequestContext, "by">,
): Promise<void> {
  const emailDigest = digest(context.dataKey, context.customer.email);
  for (const due of await listDue(shop, orderId)) {
    await requestQuote({ ...context, by: null }, () => lockQuote(due, emailDigest));
  }
}

/** Longer addresses do not come through every mail program and proxy. */
const MAX_LINK = 4_000;

/** Whether the customer could do anything with it. */
const hasUse = ({ offers, subscriptionLink: page }: MadeLead): boolean =>
  offers.length > 0 && isPage(page) && page.length <= MAX_LINK;

/**
 * Requests a quote, once: the insurer lists no quotes, so one with an unknown outcome is never requested again.
 * @param saveIntent stores that it is being sent; null: it is not to be sent
 * @returns null: it was not sent
 * @throws InsuranceError where nothing was done
 */
export async function requestQuote(
  { client, dataKey, customer, timezone, purchaseDate, by }: QuoteRequestContext,
  saveIntent: () => Promise<OrderQuoteRow | null>,
): Promise<QuoteRequestResult | null> {
  const toRequest = (row: OrderQuoteRow): NewLead => ({
    purchaseDate,
    categoryId: row.categoryId,
    customer,
    variant: {
      referenceId: row.variantId,
      title: row.productTitle,
      priceMinor: row.priceMinor,
      currencyCode: row.currency,
    },
    ...(by?.seller ? { seller: by.seller } : {}),
  });
  return askOnce<OrderQuoteRow, MadeLead, QuoteRequestResult>({
    canLookUp: false,
    saveIntent,
    request: async (row) => withLocalExpiry(timezone, await client.leads.create(toRequest(row))),
    saveCreated: async (row, quote) => {
      const { shop, environment } = row;
      await db.$transaction(async (tx) => {
        await saveQuote(tx, dataKey, { shop, environment, requestId: null }, toRequest(row), quote);
        if (by) {
          const entry = { shop, actor: by.actor, action: "quote_created", subject: quote.id } as const;
          await recordAudit(entry, tx);
        }
        const made = { quoteId: quote.id, expiresOn: quote.expirationDate, madeAt: new Date() };
        const state = hasUse(quote)
          ? ({ state: "open" } as const)
          : ({ state: "refused", reason: "no_offer" } as const);
        await moveSent(row, { ...state, ...made }, tx);
      });
      return hasUse(quote) ? { state: "open" } : { state: "refused", insurerMessage: null };
    },
    saveRefused: async (row, { insurerMessage }) => {
      await moveSent(row, { state: "refused", reason: "refused_by_insurer" });
      return { state: "refused", insurerMessage };
    },
    saveUncertain: async (row) => {
      await moveSent(row, { state: "unknown" });
      return { state: "unknown" };
    },
    // What staff or the customer request is theirs to request again; an order's own quote is requested by its next run.
    saveNotDone: (row) => (by ? dropSent(row) : moveSent(row, { state: "due" })),
  });
}
