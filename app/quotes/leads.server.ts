/**
 * The leads of a shop: stored, listed, a customer's leads and their erasure. A lead's customer is sealed with the merchant's
 * key and found by digests.
 */
import { z } from "zod";
import { billing } from "#app/insurance/fields.ts";
import type { Lead as MadeLead, NewLead } from "#app/insurance/leads.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { type DataKey, dataKeyOf, digest } from "#app/merchants/data-key.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { open, seal } from "#app/platform/crypto.server.ts";
import { dayIn } from "#app/platform/day.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { keysetQuery } from "#app/platform/keyset.server.ts";
import { readKeyset, timeKey } from "#app/platform/keyset.ts";
import { type ListPage, type PageRequest, toListPage } from "#app/platform/list-page.ts";
import { type Lead, Prisma } from "#app/platform/prisma/client.ts";
import { type LeadField, leadForm } from "./lead-form.ts";
import { lastingStatuses, leadState, leadStates } from "./leads.ts";

export const leadFilter = z.object({
  state: z.enum(leadStates).nullable().catch(null),
  /** the lead's id, words of the customer's name, their e-mail, part of the product */
  query: z.string().trim().min(1).nullable().catch(null),
});
export type LeadFilter = z.infer<typeof leadFilter>;

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

type RequestColumn = "requestId" | "attempt" | "sentAt";

export type LeadView = Omit<Lead, "offers" | RequestColumn | keyof SealedLeadCustomer> & {
  /** null after the erasure of the customer's data; then the links are empty too */
  customerName: string | null;
  customerEmail: string | null;
  subscriptionLink: string;
  signatureLink: string | null;
  /** active, expired, … today; sending or unknown while the service has not confirmed it */
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

const customerOf = (key: DataKey, { sealedCustomer }: Pick<Lead, "sealedCustomer">) =>
  sealedCustomer === null ? noCustomer : openLeadCustomer(key, sealedCustomer);

function toLeadView(key: DataKey, row: Lead, today: string): LeadView {
  const { shop, environment, leadId, createdAt, status, purchasedOn, expiresOn, categoryId } = row;
  const { variantId, productTitle, priceMinor, currency, chargedBy, sellerName } = row;
  return {
    shop,
    environment,
    leadId,
    createdAt,
    status,
    purchasedOn,
    expiresOn,
    categoryId,
    variantId,
    productTitle,
    priceMinor,
    currency,
    chargedBy,
    sellerName,
    ...customerOf(key, row),
    state: leadState(row, today),
    offers: offers.parse(row.offers),
  };
}

/**
 * The leads of the shop's current environment, newest first.
 * @param today `YYYY-MM-DD` in the shop's time zone, decides what has expired
 */
export async function listLeads(
  merchant: Merchant,
  filter: LeadFilter,
  request: PageRequest,
  size: number,
  today: string,
): Promise<ListPage<LeadView>> {
  const { shop } = merchant;
  const key = await dataKeyOf(shop);
  // As `leadState` decides it.
  const inState: Record<(typeof leadStates)[number], Prisma.LeadWhereInput> = {
    active: { status: "active", expiresOn: { gte: today } },
    expired: { status: { notIn: lastingStatuses }, expiresOn: { lt: today } },
    revoked: { status: "revoked" },
    sold: { status: "sold" },
    unknown: { status: { in: ["sending", "unknown"] } },
  };
  const keyset = readKeyset(timeKey, request);
  const { where, orderBy } = keysetQuery<Prisma.LeadScalarFieldEnum>(keyset, ["createdAt", "leadId"]);
  const rows = await db.lead.findMany({
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
  const page = toListPage(rows, size, keyset, ({ createdAt, leadId }) => [createdAt, leadId]);
  return { ...page, items: page.items.map((lead) => toLeadView(key, lead, today)) };
}

/** A lead's id, part of a product's title, an e-mail address, words of a name. */
function searchConditions(key: DataKey, query: string): Prisma.LeadWhereInput[] {
  const words = digestWords(key, query);
  return [
    { leadId: query },
    { emailDigest: digest(key, query) },
    ...(words.length === 0 ? [] : [{ nameDigests: { hasEvery: words } }]),
    { productTitle: { contains: query, mode: "insensitive" } },
  ];
}

/**
 * Null: there is no such lead in the shop's current environment.
 * @param id the lead's or its request's
 */
export async function findLead(merchant: Merchant, id: string, today: string): Promise<LeadView | null> {
  const { shop, environment } = merchant;
  const lead = await db.lead.findFirst({
    where: { shop, environment, OR: [{ leadId: id }, { requestId: id }] },
  });
  return lead && toLeadView(await dataKeyOf(shop), lead, today);
}

const customerFields = {
  environment: true,
  leadId: true,
  createdAt: true,
  sealedCustomer: true,
  productTitle: true,
} as const;

/** What a customer may know of their leads. */
async function toAnswer(shop: string, leads: Pick<Lead, keyof typeof customerFields>[]) {
  const key = await dataKeyOf(shop);
  return leads.map(({ sealedCustomer, ...lead }) => {
    const { customerName, customerEmail, entries = null } = customerOf(key, { sealedCustomer });
    return { ...lead, customerName, customerEmail, entries };
  });
}

interface LeadCustomerReference {
  email: string | null;
  /** the customer's orders: their quotes may hold a previous e-mail address */
  orderIds: string[];
}

async function leadsWhere(
  shop: string,
  { email, orderIds }: LeadCustomerReference,
): Promise<Prisma.LeadWhereInput> {
  const quotes = await db.orderLead.findMany({
    where: { shop, orderId: { in: orderIds } },
    select: { environment: true, leadId: true },
  });
  const byOrder = quotes.flatMap(({ environment, leadId }) =>
    leadId === null ? [] : [{ environment, leadId }],
  );
  const byEmail = email === null ? [] : [{ emailDigest: digest(await dataKeyOf(shop), email) }];
  return { shop, OR: [...byOrder, ...byEmail] };
}

/** The orders that this address got quotes of: one without insurance is stored without its customer's address. */
export async function findQuotedOrders(shop: string, email: string | null): Promise<string[]> {
  if (email === null) return [];
  const leads = await db.lead.findMany({
    where: { shop, emailDigest: digest(await dataKeyOf(shop), email) },
    select: { environment: true, leadId: true },
  });
  const quotes = await db.orderLead.findMany({ where: { shop, OR: leads }, select: { orderId: true } });
  return [...new Set(quotes.map(({ orderId }) => orderId))];
}

/** A customer's leads, for `customers/data_request`. */
export async function findCustomerLeads(shop: string, customer: LeadCustomerReference) {
  const leads = await db.lead.findMany({
    where: await leadsWhere(shop, customer),
    select: customerFields,
    orderBy: { createdAt: "asc" },
  });
  return toAnswer(shop, leads);
}

/** The same fields of these leads. */
export async function readLeads(shop: string, which: { environment: Environment; leadId: string }[]) {
  const leads = await db.lead.findMany({
    where: { shop, OR: which },
    select: customerFields,
    orderBy: { createdAt: "asc" },
  });
  return toAnswer(shop, leads);
}

/** Deletes a customer's personal data from their leads, for `customers/redact`, and the links to subscribe with it. */
export async function eraseLeadCustomer(shop: string, customer: LeadCustomerReference): Promise<number> {
  const { count } = await db.lead.updateMany({
    where: await leadsWhere(shop, customer),
    data: erasedLeadCustomer,
  });
  return count;
}

/** Deletes the personal data of leads created before a moment. */
export async function eraseLeadsBefore(shop: string, before: Date): Promise<number> {
  const { count } = await db.lead.updateMany({
    where: { shop, createdAt: { lt: before }, sealedCustomer: { not: null } },
    data: erasedLeadCustomer,
  });
  return count;
}

/** A condition on `m.shop` of another statement: the shop has leads for `eraseLeadsBefore`. */
export const hasLeadsBefore = (before: Date) => Prisma.sql`EXISTS (
  SELECT FROM "Lead" AS l WHERE l.shop = m.shop AND l."sealedCustomer" IS NOT NULL
    AND l."createdAt" < ${before.toISOString()}::timestamptz)`;

/** @param entries what staff entered, while the service has not confirmed the lead */
export function leadColumns(
  dataKey: DataKey,
  { customer, seller, variant }: NewLead,
  lead: Omit<MadeLead, "id" | "customer" | "variant" | "seller">,
  entries?: LeadEntries,
) {
  return {
    status: lead.status,
    purchasedOn: lead.purchaseDate.slice(0, 10),
    expiresOn: lead.expirationDate,
    categoryId: lead.categoryId,
    variantId: variant.referenceId,
    productTitle: variant.title,
    priceMinor: variant.priceMinor,
    currency: variant.currencyCode,
    chargedBy: lead.chargedBy,
    ...sealLeadCustomer(dataKey, {
      customerName: [customer.firstName, customer.lastName].filter(Boolean).join(" "),
      customerEmail: customer.email.toLowerCase(),
      subscriptionLink: lead.subscriptionLink,
      signatureLink: lead.signatureLink,
      ...(entries === undefined ? {} : { entries }),
    }),
    sellerName: seller ? `${seller.firstName} ${seller.lastName}` : null,
    offers: lead.offers,
  };
}

/** The service's lead with the shop's last day to use it: pages show that day, and the link works through it. */
export const withLocalExpiry = (timezone: string, lead: MadeLead): MadeLead => ({
  ...lead,
  expirationDate: dayIn(timezone, lead.expirationDate),
});

/** @param requestId of the form that it was requested by; null: it is the quote of an order */
export async function saveLead(
  tx: Transaction,
  dataKey: DataKey,
  { shop, environment, requestId }: { shop: string; environment: Environment; requestId: string | null },
  request: NewLead,
  lead: MadeLead,
) {
  const row = { ...leadColumns(dataKey, request, lead), ...(requestId === null ? {} : { requestId }) };
  const key = { shop, environment, leadId: lead.id };
  await tx.lead.upsert({
    where: { shop_environment_leadId: key },
    create: { ...key, ...row },
    update: row,
  });
}

const leadEntries = z.partialRecord(leadForm.keyof(), z.string());
export type LeadEntries = Partial<Record<LeadField, string>>;

/** With the links, because the pages behind them show some of it. */
const leadCustomer = z.object({
  customerName: z.string(),
  customerEmail: z.string(),
  subscriptionLink: z.string(),
  signatureLink: z.string().nullable(),
  /** to send them again, while the service has not confirmed the lead */
  entries: leadEntries.optional(),
});
export type LeadCustomer = z.infer<typeof leadCustomer>;

const PURPOSE = "customer of a lead";

/** The columns of a lead that hold its customer. */
export interface SealedLeadCustomer {
  sealedCustomer: string | null;
  emailDigest: string | null;
  nameDigests: string[];
}

export function sealLeadCustomer(key: DataKey, customer: LeadCustomer): SealedLeadCustomer {
  return {
    sealedCustomer: seal(JSON.stringify(customer), PURPOSE, [key]),
    emailDigest: digest(key, customer.customerEmail),
    nameDigests: digestWords(key, customer.customerName),
  };
}

/** @throws DecryptionError */
export function openLeadCustomer(key: DataKey, sealed: string): LeadCustomer {
  return leadCustomer.parse(JSON.parse(open(sealed, PURPOSE, [key])));
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
export const erasedLeadCustomer: SealedLeadCustomer = {
  sealedCustomer: null,
  emailDigest: null,
  nameDigests: [],
};
