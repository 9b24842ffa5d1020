/**
 * The contracts that came of an order's quotes: those found among its customer's plans, those cancelled at the insurer, and
 * those whose item is gone.
 */
import { UnreadableResponse } from "#app/insurance/errors.ts";
import { planStanding } from "#app/insurance/fields.ts";
import type { Plan } from "#app/insurance/plans.ts";
import { openQuoteCustomer } from "#app/quotes/quotes.server.ts";
import { environment } from "#app/merchants/connection.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { connectionIn } from "#app/merchants/insurance-connection.server.ts";
import { appendToOrder } from "#app/orders/book/book.server.ts";
import type { BookEvent } from "#app/orders/book/events.ts";
import { monthsLater } from "#app/platform/day.ts";
import { db, isUniqueViolation } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { OrderQuote } from "#app/platform/prisma/client.ts";
import { planOfQuote } from "./order-quotes.ts";
import { markSurplusContracts } from "./revoke-quotes.server.ts";

/** A customer who has subscribed returns to the order's page: the insurer is queried no more often than this. */
const LOOK_AGAIN_MS = 5 * 60_000;

/** @throws InsuranceError where the insurer does not respond */
export async function findSales(shop: string, orderId: string): Promise<void> {
  const looked = new Date(Date.now() - LOOK_AGAIN_MS);
  const rows = await db.orderQuote.findMany({
    where: {
      shop,
      orderId,
      quoteId: { not: null },
      // A customer may use a quote after it was revoked. A contract may be cancelled at the insurer.
      state: { in: ["open", "revoked", "sold"] },
      OR: [{ lookedAt: null, madeAt: { lt: looked } }, { lookedAt: { lt: looked } }],
    },
    orderBy: [{ lineId: "asc" }, { itemNumber: "asc" }],
  });
  const quotes = rows.filter(({ state, reason }) => state !== "sold" || reason !== "contract_cancelled");
  const unsearched: string[] = [];
  for (const ofCustomer of await groupByCustomer(shop, quotes)) {
    const isSearched = await searchContracts(shop, orderId, ofCustomer);
    if (!isSearched) unsearched.push(...ofCustomer.map(({ quoteId }) => quoteId));
  }
  const quoteIds = quotes
    .flatMap(({ quoteId }) => quoteId ?? [])
    .filter((quoteId) => !unsearched.includes(quoteId));
  await db.orderQuote.updateMany({
    where: { shop, orderId, quoteId: { in: quoteIds } },
    data: { lookedAt: new Date() },
  });
}

interface AddressedQuote extends OrderQuote {
  quoteId: string;
  madeAt: Date;
  /** the address that it was made with */
  email: string;
}

/** By account and address: an order's address may have been corrected between two quotes. */
async function groupByCustomer(shop: string, rows: readonly OrderQuote[]): Promise<AddressedQuote[][]> {
  const which = rows.flatMap(({ environment: account, quoteId }) =>
    quoteId === null ? [] : [{ environment: account, quoteId }],
  );
  if (which.length === 0) return [];
  const key = await dataKeyOf(shop);
  const quotes = await db.quote.findMany({ where: { shop, OR: which, sealedCustomer: { not: null } } });
  const addressed = rows.flatMap(({ quoteId, madeAt, ...row }) => {
    const quote = quotes.find((each) => each.environment === row.environment && each.quoteId === quoteId);
    if (!quote?.sealedCustomer || madeAt === null) return [];
    const { customerEmail: email } = openQuoteCustomer(key, quote.sealedCustomer);
    return [{ ...row, quoteId: quote.quoteId, madeAt, email }];
  });
  return [...Map.groupBy(addressed, ({ environment: account, email }) => `${account} ${email}`).values()];
}

/**
 * @param ofCustomer quotes of one account and address
 * @returns false: the shop is not connected to the account
 * @throws InsuranceError where the insurer does not respond
 */
async function searchContracts(
  shop: string,
  orderId: string,
  ofCustomer: readonly AddressedQuote[],
): Promise<boolean> {
  const [first] = ofCustomer;
  if (!first) return true;
  const account = environment.parse(first.environment);
  const where = { shop, environment: account };
  const connection = await connectionIn(shop, account);
  if (!connection) return false;
  try {
    const { items: plans } = await connection.client.plans.listReadable({ customerEmail: first.email });
    const contractId = { in: plans.map(({ id }) => id) };
    const named = plans.map((plan) => plan.orderReferenceId);
    const [items, sold, orders, quotes, references] = await Promise.all([
      db.insuredItem.findMany({ where: { ...where, contractId }, select: { contractId: true } }),
      db.orderQuote.findMany({ where: { ...where, contractId }, select: { contractId: true } }),
      db.order.findMany({
        where: { shop, orderId: { in: named } },
        select: { orderId: true },
      }),
      db.quote.findMany({ where: { ...where, quoteId: { in: named } }, select: { quoteId: true } }),
      db.reference.findMany({
        where: { ...where, referenceId: { in: plans.map((plan) => plan.offerReferenceId) } },
      }),
    ]);
    const taken = new Set([...items, ...sold].map((each) => each.contractId));
    // A plan that names a quote is that quote's, whichever is looked for first.
    const knownOrders = new Set([
      ...orders.map((order) => order.orderId),
      ...quotes.map((quote) => quote.quoteId),
    ]);
    for (const { contractId, soldTitle } of ofCustomer) {
      const plan = plans.find(({ id }) => id === contractId);
      const standing = plan && planStanding(plan.status);
      if (plan && standing === "cancelled") await markCancelled(shop, orderId, plan.id);
      // When it was found, its status did not say that it is in force.
      else if (plan && standing === "active" && soldTitle === null)
        await db.orderQuote.updateMany({
          where: { shop, orderId, contractId: plan.id },
          data: { soldTitle: plan.title },
        });
    }
    const unsold = ofCustomer.filter(({ state }) => state !== "sold");
    for (const { lineId, itemNumber, quoteId, categoryId, priceMinor, madeAt } of unsold) {
      const quote = { quoteId, categoryId, priceMinor, madeOn: madeAt.toISOString().slice(0, 10) };
      for (;;) {
        const left = plans.filter(({ id }) => !taken.has(id));
        const plan = planOfQuote(quote, left, { references, knownOrders });
        if (!plan) break;
        taken.add(plan.id);
        if (await markSold({ shop, orderId, lineId, itemNumber, quoteId }, account, plan)) break;
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableResponse)) throw error;
    log.warn({ err: error, shop, orderId }, "Failed to search a customer's contracts for sold quotes");
  }
  return true;
}

interface SoldQuote {
  shop: string;
  orderId: string;
  lineId: string;
  itemNumber: number;
  quoteId: string;
}

type SoldPlan = Pick<Plan, "id" | "title" | "priceMinor" | "status" | "purchaseDate" | "termMonths">;

/** @returns false: the job of another order has just taken this contract for one of its quotes */
async function markSold(
  { shop, orderId, lineId, itemNumber, quoteId }: SoldQuote,
  environment: string,
  plan: SoldPlan,
): Promise<boolean> {
  const standing = planStanding(plan.status);
  try {
    await db.$transaction([
      db.orderQuote.updateMany({
        where: { shop, orderId, lineId, itemNumber, state: { in: ["open", "revoked"] } },
        data: {
          state: "sold",
          soldAt: new Date(),
          contractId: plan.id,
          soldMinor: plan.priceMinor,
          soldTitle: standing === "active" ? plan.title : null,
          // The insurer lists no last day.
          soldUntil: monthsLater(plan.purchaseDate.slice(0, 10), plan.termMonths),
          // noteSurplusContracts checks whether its item is still in the order.
          revokedAt: null,
          reason: standing === "cancelled" ? "contract_cancelled" : null,
        },
      }),
      db.quote.updateMany({ where: { shop, environment, quoteId }, data: { status: "sold" } }),
    ]);
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
  return true;
}

/** A contract from a quote is of no item of the book. What was sold by the quote is in the quote's row. */
const quoteContract = (contractId: string, status: "active" | "cancelled"): BookEvent => ({
  type: "contract",
  contractId,
  item: null,
  status,
  statusText: "",
  referenceId: "",
  activatesOn: null,
  expiresOn: null,
});

/** The order's page shows it as ended, and a person has nothing to end any more. */
async function markCancelled(shop: string, orderId: string, contractId: string): Promise<void> {
  await appendToOrder(
    shop,
    orderId,
    async ({ order, tx }) => {
      const data = { reason: "contract_cancelled" };
      await tx.orderQuote.updateMany({ where: { shop, orderId, contractId }, data });
      const known = order.strayContracts.find((each) => each.contractId === contractId);
      return known && known.status !== "cancelled" ? [quoteContract(contractId, "cancelled")] : [];
    },
    { isWorker: true },
  );
}

/**
 * Each becomes a task once, and its customer sees that it is to end: the order was cancelled or the item returned after
 * the sale, or while its customer was on the insurer's page.
 */
export async function noteSurplusContracts(shop: string, orderId: string): Promise<void> {
  await appendToOrder(
    shop,
    orderId,
    async ({ tx }) => {
      const contracts = await markSurplusContracts(tx, shop, orderId);
      return contracts.map((contractId) => quoteContract(contractId, "active"));
    },
    { isWorker: true },
  );
}
