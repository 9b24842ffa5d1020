/** The leads of a shop: list, one lead, a customer's leads and their erasure. */
import { z } from "zod";
import { billing } from "#app/insurance/fields.ts";
import { db } from "#app/platform/db.server.ts";
import { keysetQuery } from "#app/platform/keyset.server.ts";
import { readKeyset, timeKey } from "#app/platform/keyset.ts";
import { toListPage } from "#app/platform/list-page.ts";
import type { ListPage, PageRequest } from "#app/platform/list-page.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import type { Lead, Prisma } from "#app/platform/prisma/client.ts";
import { leadState } from "./leads.ts";
import type { LeadFilter } from "./leads.ts";

const offers = z.array(
  z.object({
    title: z.string(),
    /** months */
    term_length: z.int(),
    price_minor: z.int(),
    currency_code: z.string(),
    billing,
  }),
);

export type LeadView = Omit<Lead, "offers"> & {
  /** active, expired, … today */
  state: string;
  offers: z.infer<typeof offers>;
};

function toLeadView(lead: Lead, today: string): LeadView {
  return { ...lead, state: leadState(lead, today), offers: offers.parse(lead.offers) };
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
  const current: Prisma.LeadWhereInput = { status: "active", expiresOn: { gte: today } };
  const keyset = readKeyset(timeKey, request);
  const { where, orderBy } = keysetQuery<Prisma.LeadScalarFieldEnum>(keyset, ["createdAt", "leadId"]);
  const rows = await db.lead.findMany({
    where: {
      shop,
      environment: merchant.environment,
      AND: [
        filter.state === null ? {} : filter.state === "active" ? current : { NOT: current },
        filter.query === null ? {} : { OR: searchConditions(filter.query) },
        where,
      ],
    },
    orderBy,
    take: size + 1,
  });
  const page = toListPage(rows, size, keyset, ({ createdAt, leadId }) => [createdAt, leadId]);
  return { ...page, items: page.items.map((lead) => toLeadView(lead, today)) };
}

function searchConditions(query: string): Prisma.LeadWhereInput[] {
  const contains = { contains: query, mode: "insensitive" } as const;
  return [
    { leadId: query },
    { customerEmail: { contains: query.toLowerCase() } },
    { customerName: contains },
    { productTitle: contains },
  ];
}

/** Null: there is no such lead in the shop's current environment. */
export async function findLead(merchant: Merchant, leadId: string, today: string): Promise<LeadView | null> {
  const key = { shop: merchant.shop, environment: merchant.environment, leadId };
  const lead = await db.lead.findUnique({ where: { shop_environment_leadId: key } });
  return lead && toLeadView(lead, today);
}

const customerFields = {
  leadId: true,
  createdAt: true,
  customerName: true,
  customerEmail: true,
  productTitle: true,
} as const;

/** A customer's leads, for `customers/data_request`. */
export async function findCustomerLeads(shop: string, email: string) {
  return db.lead.findMany({
    where: { shop, customerEmail: email.toLowerCase() },
    select: customerFields,
    orderBy: { createdAt: "asc" },
  });
}

/** The same fields of leads by their ids. */
export async function readLeads(shop: string, leadIds: string[]) {
  return db.lead.findMany({
    where: { shop, leadId: { in: leadIds } },
    select: customerFields,
    orderBy: { createdAt: "asc" },
  });
}

/** A lead without personal data: the pages behind its links show some. */
const erased = { customerName: null, customerEmail: null, subscriptionLink: "", signatureLink: null };

/** Deletes a customer's personal data from their leads, for `customers/redact`, and the links to subscribe with it. */
export async function eraseLeadCustomer(shop: string, email: string): Promise<number> {
  const { count } = await db.lead.updateMany({
    where: { shop, customerEmail: email.toLowerCase() },
    data: erased,
  });
  return count;
}

/** Deletes the personal data of leads created before a moment. */
export async function eraseLeadsBefore(shop: string, before: Date): Promise<number> {
  const { count } = await db.lead.updateMany({
    where: { shop, createdAt: { lt: before }, customerEmail: { not: null } },
    data: erased,
  });
  return count;
}
