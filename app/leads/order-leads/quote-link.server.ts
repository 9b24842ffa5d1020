/**
 * The address of our own that leads to a quote. It is signed, and leads only to the page that the service gave for this
 * quote: a forged link cannot lead elsewhere.
 */
import { z } from "zod";
import { isLink } from "#app/catalogue/references/reference.ts";
import { openLeadCustomer } from "#app/leads/leads.server.ts";
import { findDataKey } from "#app/merchants/data-key.server.ts";
import { makeOrderDue } from "#app/plans/reconciler/schedule.server.ts";
import { db } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import type { Locale } from "#app/platform/locale.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { signPart, takeSignedLink } from "#app/platform/signed-link.server.ts";
import { surplusQuotes } from "./rows.server.ts";
import { shopToday } from "./settings.server.ts";

/** @param linkId of an OrderLead */
export function linkOf(shop: string, linkId: string): string {
  return `${env.SHOPIFY_APP_URL}/quotes/${shop}/${signPart("quote links", shop, linkId)}`;
}

const linked = z.object({
  orderId: z.string(),
  lineId: z.string(),
  unitNumber: z.int(),
  leadId: z.string(),
  isUsable: z.boolean(),
  isOpened: z.boolean(),
  sealedCustomer: z.string().nullable(),
});
export type LinkedLead = z.infer<typeof linked>;

/**
 * The quote of a link in its current state: its order may have been cancelled, or its item returned, a second ago.
 * Null: there is none.
 */
export async function findLinkedLead(shop: string, linkId: string): Promise<LinkedLead | null> {
  const surplus = surplusQuotes(Prisma.sql`quote.shop`, Prisma.sql`quote."orderId"`);
  const rows = await db.$queryRaw`
    SELECT quote."orderId", quote."lineId", quote."unitNumber", quote."leadId",
      quote."openedAt" IS NOT NULL AS "isOpened", lead."sealedCustomer", (
        quote.state = 'open' AND left(quote."expiresOn", 10) >= ${shopToday(Prisma.sql`quote.shop`)}
        AND NOT EXISTS (SELECT FROM (${surplus}) AS surplus
          WHERE surplus."lineId" = quote."lineId" AND surplus."unitNumber" = quote."unitNumber")
        -- Who wants no quotes may still request one.
        AND (quote.touchpoint IS NOT NULL OR NOT EXISTS (SELECT FROM "LeadSuppression" AS s
          WHERE s.shop = quote.shop AND s."emailDigest" = lead."emailDigest"))) AS "isUsable"
    FROM "OrderLead" AS quote
      JOIN "Lead" AS lead
        ON lead.shop = quote.shop AND lead.environment = quote.environment AND lead."leadId" = quote."leadId"
    WHERE quote.shop = ${shop} AND quote."linkId" = ${linkId}`;
  return z.array(linked).max(1).parse(rows)[0] ?? null;
}

/** The insurer's page for the customer; null: the quote cannot be used any more. */
export async function subscriptionPage(
  shop: string,
  { isUsable, sealedCustomer }: LinkedLead,
): Promise<string | null> {
  const key = await findDataKey(shop);
  if (!isUsable || sealedCustomer === null || !key) return null;
  const { subscriptionLink } = openLeadCustomer(key, sealedCustomer);
  // A header takes no letters beyond Latin, and an address in its normal form has none.
  return isLink(subscriptionLink) ? new URL(subscriptionLink).href : null;
}

/** After its link was opened, a contract may follow: looked for in some minutes. */
const LOOK_AFTER_MS = 10 * 60_000;

/** Counts the first opening, and looks for a contract soon. Of who opened it nothing is kept. */
export async function noteOpened(
  shop: string,
  { orderId, lineId, unitNumber, isOpened }: LinkedLead,
): Promise<void> {
  if (!isOpened) {
    await db.orderLead.updateMany({
      where: { shop, orderId, lineId, unitNumber, openedAt: null },
      data: { openedAt: new Date() },
    });
  }
  await makeOrderDue(shop, orderId, new Date(Date.now() + LOOK_AFTER_MS));
}

/**
 * The quote of a link's address. Null: there is none.
 * @throws Response 429
 */
export async function findSignedLead(
  params: { shop?: string; link?: string },
  locale: Locale,
): Promise<(LinkedLead & { shop: string }) | null> {
  const taken = await takeSignedLink("quote links", params, locale);
  const lead = taken && (await findLinkedLead(taken.shop, taken.id));
  return lead && { ...lead, shop: taken.shop };
}
