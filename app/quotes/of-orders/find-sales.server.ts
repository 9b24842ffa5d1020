/** The contracts that came of an order's quotes: those found among its customer's plans, and those cancelled since. */
import { UnreadableResponse } from "#app/insurance/errors.ts";
import type { Plan } from "#app/insurance/plans.ts";
import { openQuoteCustomer } from "#app/quotes/quotes.server.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { connectionIn } from "#app/merchants/insurance-connection.server.ts";
import { appendToBook, appendToOrder, readOrderBook } from "#app/orders/book/book.server.ts";
import { type EventOf, itemKeyOf } from "#app/orders/book/events.ts";
import { strayContract } from "#app/orders/book/quote-rules.ts";
import type { Quote } from "#app/orders/book/quotes.ts";
import { monthsLater } from "#app/platform/day.ts";
import { db, isUniqueViolation } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { planOfQuote } from "./order-quotes.ts";
import { findQuote } from "./quote-requests.server.ts";

/** A customer who has subscribed returns to the order's page: the insurer is queried no more often than this. */
const LOOK_AGAIN_MS = 5 * 60_000;

/** @throws InsuranceError where the insurer does not respond */
export async function findSales(shop: string, orderId: string): Promise<void> {
  const looked = new Date(Date.now() - LOOK_AGAIN_MS);
  const book = await readOrderBook(shop, orderId);
  const quotes = (book?.order.quotes ?? []).filter((quote) => isSearchable(quote, looked));
  const searched: Quote[] = [];
  for (const ofCustomer of await groupByCustomer(shop, quotes)) {
    if (await searchContracts(shop, orderId, ofCustomer)) searched.push(...ofCustomer);
  }
  if (searched.length === 0) return;
  await appendToOrder(shop, orderId, () => [{ type: "quotes_searched", quotes: searched.map(itemKeyOf) }], {
    isWorker: true,
  });
}

/** A customer may use a quote after it was revoked. A contract may be cancelled at the insurer. */
function isSearchable({ state, reason, quoteId, searchedAt, madeAt }: Quote, before: Date): boolean {
  const last = searchedAt ?? madeAt;
  if (quoteId === null || last === null || last >= before) return false;
  return state === "open" || state === "revoked" || (state === "sold" && reason !== "contract_cancelled");
}

interface AddressedQuote extends Quote {
  quoteId: string;
  madeAt: Date;
  /** the address that it was made with */
  email: string;
}

/** By account and address: an order's address may have been corrected between two quotes. */
async function groupByCustomer(shop: string, quotes: readonly Quote[]): Promise<AddressedQuote[][]> {
  const which = quotes.flatMap(({ planned: { environment }, quoteId }) =>
    quoteId === null ? [] : [{ environment, quoteId }],
  );
  if (which.length === 0) return [];
  const key = await dataKeyOf(shop);
  const rows = await db.quote.findMany({ where: { shop, OR: which, sealedCustomer: { not: null } } });
  const addressed = quotes.flatMap(({ quoteId, madeAt, ...quote }) => {
    const row = rows.find(
      (each) => each.environment === quote.planned.environment && each.quoteId === quoteId,
    );
    if (!row?.sealedCustomer || madeAt === null) return [];
    const { customerEmail: email } = openQuoteCustomer(key, row.sealedCustomer);
    return [{ ...quote, quoteId: row.quoteId, madeAt, email }];
  });
  return [...Map.groupBy(addressed, ({ planned, email }) => `${planned.environment} ${email}`).values()];
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
  const { environment: account } = first.planned;
  const connection = await connectionIn(shop, account);
  if (!connection) return false;
  try {
    const { items: plans } = await connection.client.plans.listReadable({ customerEmail: first.email });
    const { taken, references, knownOrders } = await readKnownContracts(shop, account, plans);
    for (const quote of ofCustomer) {
      const plan = plans.find(({ id }) => id === quote.contract?.contractId);
      if (plan) await noteStanding(shop, orderId, quote, plan);
    }
    const unsold = ofCustomer.filter(({ state }) => state !== "sold");
    for (const quote of unsold) {
      const { categoryId, priceMinor } = quote.planned;
      const madeOn = quote.madeAt.toISOString().slice(0, 10);
      for (;;) {
        const left = plans.filter(({ id }) => !taken.has(id));
        const sought = { quoteId: quote.quoteId, categoryId, priceMinor, madeOn };
        const plan = planOfQuote(sought, left, { references, knownOrders });
        if (!plan) break;
        taken.add(plan.id);
        if (await saveSale(shop, orderId, quote, account, plan)) break;
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableResponse)) throw error;
    log.warn({ err: error, shop, orderId }, "Failed to search a customer's contracts for sold quotes");
  }
  return true;
}

/** What is known of a customer's plans: those that something here has, and what could have them. */
export async function readKnownContracts(
  shop: string,
  environment: Environment,
  plans: readonly Pick<Plan, "id" | "orderReferenceId" | "offerReferenceId">[],
) {
  const where = { shop, environment };
  const contractId = { in: plans.map(({ id }) => id) };
  const named = plans.map((plan) => plan.orderReferenceId);
  const ofContracts = { where: { ...where, contractId }, select: { contractId: true } } as const;
  const [items, sold, soldAlone, orders, quotes, references] = await Promise.all([
    db.insuredItem.findMany(ofContracts),
    db.orderQuote.findMany(ofContracts),
    db.quote.findMany(ofContracts),
    db.order.findMany({
      where: { shop, orderId: { in: named } },
      select: { orderId: true },
    }),
    db.quote.findMany({ where: { ...where, quoteId: { in: named } }, select: { quoteId: true } }),
    db.reference.findMany({
      where: { ...where, referenceId: { in: plans.map((plan) => plan.offerReferenceId) } },
    }),
  ]);
  return {
    taken: new Set([...items, ...sold, ...soldAlone].flatMap((each) => each.contractId ?? [])),
    references,
    // A plan that names a quote is that quote's, whichever is looked for first.
    knownOrders: new Set([...orders.map((order) => order.orderId), ...quotes.map((quote) => quote.quoteId)]),
  };
}

type SoldPlan = Pick<Plan, "id" | "title" | "priceMinor" | "standing" | "purchaseDate" | "termMonths">;

function contractOf(quote: Quote, plan: SoldPlan): EventOf<"quote_contract"> {
  const { standing } = plan;
  return {
    type: "quote_contract",
    quote: itemKeyOf(quote),
    contractId: plan.id,
    status: standing === "active" || standing === "cancelled" ? standing : "other",
    title: plan.title,
    priceMinor: plan.priceMinor,
    // The insurer lists no last day.
    expiresOn: monthsLater(plan.purchaseDate.slice(0, 10), plan.termMonths),
  };
}

/** @returns false: the job of another order has just taken this contract for one of its quotes */
async function saveSale(
  shop: string,
  orderId: string,
  quote: AddressedQuote,
  environment: Environment,
  plan: SoldPlan,
): Promise<boolean> {
  const { quoteId } = quote;
  try {
    await db.$transaction(async (tx) => {
      await appendToBook(tx, shop, orderId, () => [contractOf(quote, plan)], { isWorker: true });
      await tx.quote.updateMany({ where: { shop, environment, quoteId }, data: { status: "sold" } });
    });
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
  return true;
}

/** The order's page shows one as ended once it is, and a person has nothing to end any more. */
async function noteStanding(shop: string, orderId: string, quote: Quote, plan: SoldPlan): Promise<void> {
  const contract = contractOf(quote, plan);
  await appendToOrder(
    shop,
    orderId,
    ({ order }) => {
      const known = findQuote(order, quote);
      // When it was found, its status did not say that it is in force.
      const isNews =
        contract.status === "cancelled" || (contract.status === "active" && known?.contract?.title === null);
      if (!isNews) return null;
      const stray = order.strayContracts.find(
        ({ contractId, status }) => contractId === plan.id && status !== "cancelled",
      );
      return contract.status === "cancelled" && stray
        ? [contract, strayContract(plan.id, "cancelled")]
        : [contract];
    },
    { isWorker: true },
  );
}
