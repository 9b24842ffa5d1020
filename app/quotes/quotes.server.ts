/**
 * The quotes of a shop: stored, listed, a customer's quotes and their erasure. A quote's customer is sealed with the merchant's
 * key and found by digests.
 */
import { z } from "zod";
import { billing } from "#app/insurance/fields.ts";
import { type Lead as MadeLead, type NewLead, otherProduct } from "#app/insurance/leads.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { type DataKey, dataKeyOf, digest } from "#app/merchants/data-key.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { open, seal } from "#app/platform/crypto.server.ts";
import { dayIn } from "#app/platform/day.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { keysetQuery } from "#app/platform/keyset.server.ts";
import { readKeyset, timeKey } from "#app/platform/keyset.ts";
import { type ListPage, toListPage } from "#app/platform/list-page.ts";
import { type PageRequest } from "#app/platform/keyset.ts";
import { type Quote, Prisma } from "#app/platform/prisma/client.ts";
import { type QuoteField, quoteForm } from "./quote-form.ts";
import { lastingStatuses, NO_EXPIRY, quoteState, quoteStates } from "./quotes.ts";

export const quoteFilter = z.object({
  state: z.enum(quoteStates).nullable().catch(null),
  /** the quote's id, words of the customer's name, their e-mail, part of the product */
  query: z.string().trim().min(1).nullable().catch(null),
});
export type QuoteFilter = z.infer<typeof quoteFilter>;

const offers = z.array(
  z.object({
    title: z.string(),
    /** months */
    termMonths: z.int(),
    priceMinor: z.int(),
    currencyCode: z.string(),
    billing,
  }),
);

type RequestColumn = "requestId" | "attempt" | "sentAt" | "searchedAt";

export type QuoteView = Omit<Quote, "offers" | "expiresOn" | RequestColumn | keyof SealedQuoteCustomer> & {
  /** the last day to use it, `YYYY-MM-DD`; null: it does not expire; "": the insurer has not confirmed it */
  expiresOn: string | null;
  /** null after the erasure of the customer's data; then the links are empty too */
  customerName: string | null;
  customerEmail: string | null;
  subscriptionLink: string;
  signatureLink: string | null;
  /** active, expired, … today; sending or unknown while the insurer has not confirmed it */
  state: string;
  offers: z.infer<typeof offers>;
};

const noCustomer = {
  customerName: null,
  customerEmail: null,
  subscriptionLink: "",
  signatureLink: null,
  entries: undefined,
};

const customerOf = (key: DataKey, { sealedCustomer }: Pick<Quote, "sealedCustomer">) =>
  sealedCustomer === null ? noCustomer : openQuoteCustomer(key, sealedCustomer);

function toQuoteView(key: DataKey, row: Quote, today: string): QuoteView {
  const { shop, environment, quoteId, createdAt, status, purchasedOn, expiresOn, categoryId } = row;
  const { variantId, productTitle, priceMinor, currency, otherProduct, chargedBy, sellerName } = row;
  return {
    shop,
    environment,
    quoteId,
    createdAt,
    status,
    purchasedOn,
    expiresOn: expiresOn === NO_EXPIRY ? null : expiresOn,
    categoryId,
    variantId,
    productTitle,
    priceMinor,
    currency,
    otherProduct,
    chargedBy,
    sellerName,
    contractId: row.contractId,
    ...customerOf(key, row),
    state: quoteState(row, today),
    offers: offers.parse(row.offers),
  };
}

/**
 * The quotes of the shop's current environment, newest first.
 * @param today `YYYY-MM-DD` in the shop's time zone, decides what has expired
 */
export async function listQuotes(
  merchant: Merchant,
  filter: QuoteFilter,
  request: PageRequest,
  size: number,
  today: string,
): Promise<ListPage<QuoteView>> {
  const { shop } = merchant;
  const key = await dataKeyOf(shop);
  // As `quoteState` decides it.
  const inState: Record<(typeof quoteStates)[number], Prisma.QuoteWhereInput> = {
    active: { status: "active", expiresOn: { gte: today } },
    expired: { status: { notIn: lastingStatuses }, expiresOn: { lt: today } },
    revoked: { status: "revoked" },
    sold: { status: "sold" },
    unknown: { status: { in: ["sending", "unknown"] } },
  };
  const keyset = readKeyset(timeKey, request);
  const { where, orderBy } = keysetQuery<Prisma.QuoteScalarFieldEnum>(keyset, ["createdAt", "quoteId"]);
  const rows = await db.quote.findMany({
    where: {
      shop,
      environment: merchant.environment,
      AND: [
        filter.state === null ? {} : inState[filter.state],
        filter.query === null ? {} : { OR: searchConditions(key, filter.query) },
        where,
      ],
    },
    orderBy,
    take: size + 1,
  });
  const page = toListPage(rows, size, keyset, ({ createdAt, quoteId }) => [createdAt, quoteId]);
  return { ...page, items: page.items.map((quote) => toQuoteView(key, quote, today)) };
}

/** A quote's id, part of a product's title, an e-mail address, words of a name. */
function searchConditions(key: DataKey, query: string): Prisma.QuoteWhereInput[] {
  const words = digestWords(key, query);
  return [
    { quoteId: query },
    { emailDigest: digest(key, query) },
    ...(words.length === 0 ? [] : [{ nameDigests: { hasEvery: words } }]),
    { productTitle: { contains: query, mode: "insensitive" } },
  ];
}

/**
 * Null: there is no such quote in the shop's current environment.
 * @param id the quote's or its request's
 */
export async function findQuote(merchant: Merchant, id: string, today: string): Promise<QuoteView | null> {
  const { shop, environment } = merchant;
  const quote = await db.quote.findFirst({
    where: { shop, environment, OR: [{ quoteId: id }, { requestId: id }] },
  });
  return quote && toQuoteView(await dataKeyOf(shop), quote, today);
}

const customerFields = {
  environment: true,
  quoteId: true,
  createdAt: true,
  sealedCustomer: true,
  productTitle: true,
} as const;

/** What a customer may know of their quotes. */
async function toAnswer(shop: string, quotes: Pick<Quote, keyof typeof customerFields>[]) {
  const key = await dataKeyOf(shop);
  return quotes.map(({ sealedCustomer, ...quote }) => {
    const { customerName, customerEmail, entries = null } = customerOf(key, { sealedCustomer });
    return { ...quote, customerName, customerEmail, entries };
  });
}

interface QuoteCustomerReference {
  email: string | null;
  /** the customer's orders: their quotes may hold a previous e-mail address */
  orderIds: string[];
}

async function quotesWhere(
  shop: string,
  { email, orderIds }: QuoteCustomerReference,
): Promise<Prisma.QuoteWhereInput> {
  const quotes = await db.orderQuote.findMany({
    where: { shop, orderId: { in: orderIds } },
    select: { environment: true, quoteId: true },
  });
  const byOrder = quotes.flatMap(({ environment, quoteId }) =>
    quoteId === null ? [] : [{ environment, quoteId }],
  );
  const byEmail = email === null ? [] : [{ emailDigest: digest(await dataKeyOf(shop), email) }];
  return { shop, OR: [...byOrder, ...byEmail] };
}

/** The orders that this address got quotes of: one without insurance is stored without its customer's address. */
export async function findQuotedOrders(shop: string, email: string | null): Promise<string[]> {
  if (email === null) return [];
  const quotes = await db.quote.findMany({
    where: { shop, emailDigest: digest(await dataKeyOf(shop), email) },
    select: { environment: true, quoteId: true },
  });
  const ofOrders = await db.orderQuote.findMany({ where: { shop, OR: quotes }, select: { orderId: true } });
  return [...new Set(ofOrders.map(({ orderId }) => orderId))];
}

/** A customer's quotes, for `customers/data_request`. */
export async function findCustomerQuotes(shop: string, customer: QuoteCustomerReference) {
  const quotes = await db.quote.findMany({
    where: await quotesWhere(shop, customer),
    select: customerFields,
    orderBy: { createdAt: "asc" },
  });
  return toAnswer(shop, quotes);
}

/** The same fields of these quotes. */
export async function readQuotes(shop: string, which: { environment: Environment; quoteId: string }[]) {
  const quotes = await db.quote.findMany({
    where: { shop, OR: which },
    select: customerFields,
    orderBy: { createdAt: "asc" },
  });
  return toAnswer(shop, quotes);
}

/** Deletes a customer's personal data from their quotes, for `customers/redact`, and the links to subscribe with it. */
export async function eraseQuoteCustomer(shop: string, customer: QuoteCustomerReference): Promise<number> {
  const { count } = await db.quote.updateMany({
    where: await quotesWhere(shop, customer),
    data: erasedQuoteCustomer,
  });
  return count;
}

/** Deletes the personal data of quotes created before a moment. */
export async function eraseQuotesBefore(shop: string, before: Date): Promise<number> {
  const { count } = await db.quote.updateMany({
    where: { shop, createdAt: { lt: before }, sealedCustomer: { not: null } },
    data: erasedQuoteCustomer,
  });
  return count;
}

/** A condition on `m.shop` of another statement: the shop has quotes for `eraseQuotesBefore`. */
export const hasQuotesBefore = (before: Date) => Prisma.sql`EXISTS (
  SELECT FROM "Quote" AS l WHERE l.shop = m.shop AND l."sealedCustomer" IS NOT NULL
    AND l."createdAt" < ${before.toISOString()}::timestamptz)`;

/** What of the insurer's answer is kept; of an unconfirmed quote nothing is known. */
type MadeQuote = Omit<MadeLead, "id">;

/** @param entries what staff entered, while the insurer has not confirmed the quote */
export function quoteColumns(
  dataKey: DataKey,
  { customer, seller, variant, purchaseDate, categoryId }: NewLead,
  quote: MadeQuote,
  entries?: QuoteEntries,
) {
  return {
    status: quote.status,
    purchasedOn: (quote.purchaseDate ?? purchaseDate).slice(0, 10),
    expiresOn: quote.expirationDate ?? NO_EXPIRY,
    categoryId: quote.categoryId ?? categoryId,
    variantId: variant.referenceId,
    productTitle: variant.title,
    priceMinor: variant.priceMinor,
    currency: variant.currencyCode,
    otherProduct: otherProduct(quote, variant),
    chargedBy: quote.chargedBy,
    ...sealQuoteCustomer(dataKey, {
      customerName: [customer.firstName, customer.lastName].filter(Boolean).join(" "),
      customerEmail: customer.email.toLowerCase(),
      subscriptionLink: quote.subscriptionLink,
      signatureLink: quote.signatureLink,
      ...(entries === undefined ? {} : { entries }),
    }),
    sellerName: seller ? `${seller.firstName} ${seller.lastName}` : null,
    offers: quote.offers,
  };
}

/** The insurer's quote with the shop's last day to use it: pages show that day, and the link works through it. */
export const withLocalExpiry = (timezone: string, quote: MadeLead): MadeLead => ({
  ...quote,
  expirationDate: quote.expirationDate === null ? null : dayIn(timezone, quote.expirationDate),
});

/** @param requestId of the form that it was requested by; null: it is the quote of an order */
export async function saveQuote(
  tx: Transaction,
  dataKey: DataKey,
  { shop, environment, requestId }: { shop: string; environment: Environment; requestId: string | null },
  request: NewLead,
  quote: MadeLead,
) {
  const row = { ...quoteColumns(dataKey, request, quote), ...(requestId === null ? {} : { requestId }) };
  const key = { shop, environment, quoteId: quote.id };
  await tx.quote.upsert({
    where: { shop_environment_quoteId: key },
    create: { ...key, ...row },
    update: row,
  });
}

const quoteEntries = z.partialRecord(quoteForm.keyof(), z.string());
export type QuoteEntries = Partial<Record<QuoteField, string>>;

/** With the links, because the pages behind them show some of it. */
const quoteCustomer = z.object({
  customerName: z.string(),
  customerEmail: z.string(),
  subscriptionLink: z.string(),
  signatureLink: z.string().nullable(),
  /** to send them again, while the insurer has not confirmed the quote */
  entries: quoteEntries.optional(),
});
export type QuoteCustomer = z.infer<typeof quoteCustomer>;

const PURPOSE = "customer of a quote";

/** The columns of a quote that hold its customer. */
export interface SealedQuoteCustomer {
  sealedCustomer: string | null;
  emailDigest: string | null;
  nameDigests: string[];
}

export function sealQuoteCustomer(key: DataKey, customer: QuoteCustomer): SealedQuoteCustomer {
  return {
    sealedCustomer: seal(JSON.stringify(customer), PURPOSE, [key]),
    emailDigest: digest(key, customer.customerEmail),
    nameDigests: digestWords(key, customer.customerName),
  };
}

/** @throws DecryptionError */
export function openQuoteCustomer(key: DataKey, sealed: string): QuoteCustomer {
  return quoteCustomer.parse(JSON.parse(open(sealed, PURPOSE, [key])));
}

/** A digest of each word of a name, without accents: sealed names are found by whole words. */
export function digestWords(key: DataKey, text: string): string[] {
  const words =
    text
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].map((word) => digest(key, word));
}

/** After the erasure of the customer's data. */
export const erasedQuoteCustomer: SealedQuoteCustomer = {
  sealedCustomer: null,
  emailDigest: null,
  nameDigests: [],
};
