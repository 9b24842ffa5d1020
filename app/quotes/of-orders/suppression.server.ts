/**
 * Customers who want no quotes: stored as a keyed digest of the e-mail address. It cannot be read back, but matches the
 * address of the next order. It stays until the shop or the customer requests the erasure.
 */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { dataKeyOf, digest } from "#app/merchants/data-key.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import type { Prisma } from "#app/platform/prisma/client.ts";
import { sendOrderJobs } from "#app/orders/schedule.server.ts";
import { type LinkedLead, revokeAll } from "./rows.server.ts";

/** @param actor who noted it: the customer by the quote's link, or staff */
async function suppress(shop: string, emailDigest: string, actor: Actor): Promise<void> {
  await db.$transaction(async (tx) => {
    const { count } = await tx.leadSuppression.createMany({
      data: [{ shop, emailDigest }],
      skipDuplicates: true,
    });
    if (count > 0) await recordAudit({ shop, actor, action: "lead_suppressed" }, tx);
    await revokeOfCustomer(tx, shop, emailDigest, "suppressed");
  });
}

async function revokeOfCustomer(
  tx: Transaction,
  shop: string,
  emailDigest: string,
  reason: "suppressed" | "erased",
): Promise<void> {
  const leads = await tx.lead.findMany({
    where: { shop, emailDigest },
    select: { environment: true, leadId: true },
  });
  const ofAccounts = [...Map.groupBy(leads, ({ environment }) => environment)];
  const which = ofAccounts.map(([environment, ofAccount]) => ({
    environment,
    leadId: { in: ofAccount.map(({ leadId }) => leadId) },
  }));
  await revokeAndReconcile(tx, shop, { OR: which }, reason);
}

/** The orders' jobs take the quotes off the orders. */
async function revokeAndReconcile(
  tx: Transaction,
  shop: string,
  which: Prisma.OrderLeadWhereInput,
  reason: "suppressed" | "erased",
): Promise<void> {
  const orderIds = await revokeAll(tx, shop, which, reason);
  await sendOrderJobs(
    tx,
    shop,
    orderIds.map((orderId) => ({ orderId })),
  );
}

/** Whether a customer wants no quotes. */
export async function isSuppressed(shop: string, email: string): Promise<boolean> {
  const emailDigest = digest(await dataKeyOf(shop), email);
  return (await db.leadSuppression.count({ where: { shop, emailDigest } })) > 0;
}

/** Staff note that a customer wants no quotes. */
export async function suppressAddress(shop: string, email: string, actor: Actor): Promise<void> {
  await suppress(shop, digest(await dataKeyOf(shop), email), actor);
}

/** The customer of a quote says so by its link. */
export async function suppressCustomerOfLead(
  shop: string,
  { environment, leadId }: Pick<LinkedLead, "environment" | "leadId">,
): Promise<void> {
  const lead = await db.lead.findFirst({
    where: { shop, environment, leadId },
    select: { emailDigest: true },
  });
  // Of a customer whose data was erased, nothing is left to write to.
  if (lead?.emailDigest) await suppress(shop, lead.emailDigest, { kind: "system", cause: "quote_link" });
}

/** Staff entered an address by mistake, or the customer wants quotes again. @returns whether it was there */
export async function allowAddress(shop: string, email: string, actor: Actor): Promise<boolean> {
  const emailDigest = digest(await dataKeyOf(shop), email);
  return db.$transaction(async (tx) => {
    const { count } = await tx.leadSuppression.deleteMany({ where: { shop, emailDigest } });
    if (count > 0) await recordAudit({ shop, actor, action: "lead_allowed" }, tx);
    return count > 0;
  });
}

/** Before the customer's data goes: their quotes lead nowhere any more, and the entry goes, too. */
export async function eraseOrderLeadCustomer(
  shop: string,
  { email, orderIds }: { email: string | null; orderIds: readonly string[] },
): Promise<void> {
  const emailDigest = email === null ? null : digest(await dataKeyOf(shop), email);
  await db.$transaction(async (tx) => {
    if (emailDigest !== null) {
      await revokeOfCustomer(tx, shop, emailDigest, "erased");
      await tx.leadSuppression.deleteMany({ where: { shop, emailDigest } });
    }
    await revokeAndReconcile(tx, shop, { orderId: { in: [...orderIds] } }, "erased");
  });
}

/** When the latest entries were made, the newest first, and how many there are. */
export async function listSuppressions(shop: string): Promise<{ total: number; latest: Date[] }> {
  const where = { shop };
  const [total, rows] = await Promise.all([
    db.leadSuppression.count({ where }),
    db.leadSuppression.findMany({ where, select: { since: true }, orderBy: { since: "desc" }, take: 20 }),
  ]);
  return { total, latest: rows.map(({ since }) => since) };
}
