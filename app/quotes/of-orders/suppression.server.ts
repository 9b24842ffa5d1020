/**
 * Customers who want no quotes: stored as a keyed digest of the e-mail address. It cannot be read back, but matches the
 * address of the next order. It stays until the shop or the customer requests the erasure.
 */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { dataKeyOf, digest } from "#app/merchants/data-key.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import type { LinkedQuote } from "./quote-link.server.ts";
import { revokeAll } from "./revoke-quotes.server.ts";

/** @param actor who noted it: the customer by the quote's link, or staff */
async function suppress(shop: string, emailDigest: string, actor: Actor): Promise<void> {
  await db.$transaction(async (tx) => {
    const { count } = await tx.quoteSuppression.createMany({
      data: [{ shop, emailDigest }],
      skipDuplicates: true,
    });
    if (count > 0) await recordAudit({ shop, actor, action: "quote_suppressed" }, tx);
    await revokeOfCustomer(tx, shop, emailDigest, "suppressed");
  });
}

async function revokeOfCustomer(
  tx: Transaction,
  shop: string,
  emailDigest: string,
  reason: "suppressed" | "erased",
): Promise<void> {
  const quotes = await tx.quote.findMany({
    where: { shop, emailDigest },
    select: { environment: true, quoteId: true },
  });
  const ofAccounts = [...Map.groupBy(quotes, ({ environment }) => environment)];
  const which = ofAccounts.map(([environment, ofAccount]) => ({
    environment,
    quoteId: { in: ofAccount.map(({ quoteId }) => quoteId) },
  }));
  await revokeAll(tx, shop, { OR: which }, reason);
}

/** Whether a customer wants no quotes. */
export async function isSuppressed(shop: string, email: string): Promise<boolean> {
  const emailDigest = digest(await dataKeyOf(shop), email);
  return (await db.quoteSuppression.count({ where: { shop, emailDigest } })) > 0;
}

/** Staff note that a customer wants no quotes. */
export async function suppressAddress(shop: string, email: string, actor: Actor): Promise<void> {
  await suppress(shop, digest(await dataKeyOf(shop), email), actor);
}

/** The customer of a quote says so by its link. */
export async function suppressCustomerOfQuote(
  shop: string,
  { environment, quoteId }: Pick<LinkedQuote, "environment" | "quoteId">,
): Promise<void> {
  const quote = await db.quote.findFirst({
    where: { shop, environment, quoteId },
    select: { emailDigest: true },
  });
  // Of a customer whose data was erased, nothing is left to write to.
  if (quote?.emailDigest) await suppress(shop, quote.emailDigest, { kind: "system", cause: "quote_link" });
}

/** Staff entered an address by mistake, or the customer wants quotes again. @returns whether it was there */
export async function allowAddress(shop: string, email: string, actor: Actor): Promise<boolean> {
  const emailDigest = digest(await dataKeyOf(shop), email);
  return db.$transaction(async (tx) => {
    const { count } = await tx.quoteSuppression.deleteMany({ where: { shop, emailDigest } });
    if (count > 0) await recordAudit({ shop, actor, action: "quote_allowed" }, tx);
    return count > 0;
  });
}

/** Before the customer's data goes: their quotes quote nowhere any more, and the entry goes, too. */
export async function eraseOrderQuoteCustomer(
  shop: string,
  { email, orderIds }: { email: string | null; orderIds: readonly string[] },
): Promise<void> {
  const emailDigest = email === null ? null : digest(await dataKeyOf(shop), email);
  await db.$transaction(async (tx) => {
    if (emailDigest !== null) {
      await revokeOfCustomer(tx, shop, emailDigest, "erased");
      await tx.quoteSuppression.deleteMany({ where: { shop, emailDigest } });
    }
    await revokeAll(tx, shop, { orderId: { in: [...orderIds] } }, "erased");
  });
}

/** When the latest entries were made, the newest first, and how many there are. */
export async function listSuppressions(shop: string): Promise<{ total: number; latest: Date[] }> {
  const where = { shop };
  const [total, rows] = await Promise.all([
    db.quoteSuppression.count({ where }),
    db.quoteSuppression.findMany({ where, select: { since: true }, orderBy: { since: "desc" }, take: 20 }),
  ]);
  return { total, latest: rows.map(({ since }) => since) };
}
