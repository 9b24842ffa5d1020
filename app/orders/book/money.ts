/**
 * What became of each premium that an order's customer paid: covered, under way, refunded, kept by a decision, or open.
 * Open is what remains of it, so a premium that is nothing else is a question to a person, whatever happened.
 */
import {
  endReasonOf,
  type Item,
  needsAnswer,
  type Order,
  type Refund,
  replacementOf,
  standingOf,
  isUnresolved,
} from "./evolve.ts";

/** The parts of a premium, minor units. They add up to it. */
export interface Premium {
  coveredMinor: number;
  underWayMinor: number;
  refundedMinor: number;
  keptMinor: number;
  openMinor: number;
}

export interface OrderMoney {
  premiums: ReadonlyMap<Item, Premium>;
  /** by currency: money that was paid back for nothing that left the order: it may have been for insurance that goes on */
  paidBack: ReadonlyMap<string, number>;
}

/** A refund whose payment is pending counts as under way until this time has passed. */
const PENDING_REFUND_MS = 30 * 86_400_000;
/** A refund that was requested in the shop has come by then, or did not work. */
const REQUESTED_REFUND_MS = 3_600_000;

export function splitPremiums(order: Order, now: Date): OrderMoney {
  const premiums = new Map<Item, Premium>();
  if (order.paid === null) {
    for (const item of order.items) premiums.set(item, { ...nothing });
    return { premiums, paidBack: new Map() };
  }
  const settled = allocate(
    order,
    order.refunds.filter(({ status }) => status === "settled"),
  );
  const pending = allocate(
    order,
    order.refunds.filter(
      ({ status, asOf }) =>
        status === "settled" || (status === "pending" && now.getTime() - asOf.getTime() < PENDING_REFUND_MS),
    ),
  );
  for (const item of order.items) {
    const refundedMinor = settled.refunded.get(item) ?? 0;
    const pendingMinor = Math.max(0, (pending.refunded.get(item) ?? 0) - refundedMinor);
    premiums.set(item, splitPremium(order, item, { refundedMinor, pendingMinor }, now));
  }
  return { premiums, paidBack: settled.pools };
}

const nothing: Premium = { coveredMinor: 0, underWayMinor: 0, refundedMinor: 0, keptMinor: 0, openMinor: 0 };

function splitPremium(
  order: Order,
  item: Item,
  paidBack: { refundedMinor: number; pendingMinor: number },
  now: Date,
): Premium {
  const answered = (answer: "premium_refunded" | "premium_kept") =>
    item.decisions
      .filter((decision) => decision.answer === answer)
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  let restMinor = premiumOf(order, item);
  const take = (wantedMinor: number) => {
    const taken = Math.min(restMinor, wantedMinor);
    restMinor -= taken;
    return taken;
  };
  const isWholePaidBack = order.isPaidBack && endReasonOf(order, item) !== null;
  const refundedMinor = take(
    isWholePaidBack ? restMinor : paidBack.refundedMinor + answered("premium_refunded"),
  );
  const keptMinor = take(answered("premium_kept"));
  if (endReasonOf(order, item) === null) {
    const coveredMinor = isCovered(order, item) ? take(restMinor) : 0;
    const underWayMinor = isUnderWay(order, item) ? take(restMinor) : 0;
    return { coveredMinor, underWayMinor, refundedMinor, keptMinor, openMinor: restMinor };
  }
  const isRequested =
    item.refundRequestedAt !== null && now.getTime() - item.refundRequestedAt.getTime() < REQUESTED_REFUND_MS;
  const underWayMinor = take(isRequested ? restMinor : paidBack.pendingMinor);
  return { coveredMinor: 0, underWayMinor, refundedMinor, keptMinor, openMinor: restMinor };
}

/** What was paid for an item, minor units: nothing once its cover and premium moved to another. */
export const premiumOf = (order: Pick<Order, "items">, item: Item): number =>
  replacementOf(order, item) === undefined ? item.sold.premiumMinor : 0;

/** In force, also where a person has found out that a contract is, of which the insurer says something else. */
function isCovered({ answers }: Pick<Order, "answers">, item: Item): boolean {
  const standing = standingOf(item);
  return standing === "in_force" || (standing === "in_doubt" && answers.has(doubtQuestion(item)));
}

/** The question about a contract that the insurer shows in another state than in force, or not at all. */
export const doubtQuestion = ({ lineId, number, contract }: Item): string =>
  `contract_doubtful:${contract?.status ?? ""}:${lineId}:${number}`;

/** Whether Parasol works on the item's contract by itself: no person has to answer anything first. */
export function isUnderWay(order: Pick<Order, "details" | "erasedAt" | "deletedAt">, item: Item): boolean {
  if (isUnresolved(item)) return true;
  return (
    standingOf(item) === "none" && !needsAnswer(item) && !lacksCustomer(order) && order.deletedAt === null
  );
}

/** Whether a plan request lacks something of the customer that only a person can add. */
export const lacksCustomer = ({ details, erasedAt }: Pick<Order, "details" | "erasedAt">): boolean =>
  details.missing.length > 0 || details.refused !== null || erasedAt !== null;

interface Allocation {
  refunded: ReadonlyMap<Item, number>;
  /** by currency: what is left once all that left the order is paid back */
  pools: ReadonlyMap<string, number>;
}

/**
 * What refunds pay back of each premium. A refund that pays less than the items that it names cost pays products first:
 * a premium is paid back only with money that is certainly for it. What a refund pays beyond its items goes to products
 * that an edit or the order's cancellation removed, then to premiums of insurance that ended.
 */
function allocate(order: Order, refunds: readonly Refund[]): Allocation {
  const isPlan = (lineId: string) => order.items.some((item) => item.lineId === lineId);
  const refunded = new Map<Item, number>();
  const add = (item: Item, amountMinor: number) => {
    const soFar = refunded.get(item) ?? 0;
    const taken = Math.max(0, Math.min(amountMinor, premiumOf(order, item) - soFar));
    refunded.set(item, soFar + taken);
    return taken;
  };
  const leftByRefund = new Map(
    [...Map.groupBy(order.items, ({ lineId }) => lineId)].map(([lineId, items]) => [
      lineId,
      items.filter(({ left }) => left === "refund"),
    ]),
  );
  const pools = new Map<string, number>();
  const takeFrom = (currency: string, wantedMinor: number): number => {
    const pool = pools.get(currency) ?? 0;
    const taken = Math.min(pool, wantedMinor);
    if (taken > 0) pools.set(currency, pool - taken);
    return taken;
  };
  const unpaid: { currency: string; amountMinor: number }[] = [];
  for (const { lines, moneyMinor, currency } of byId(refunds)) {
    let restMinor = moneyMinor;
    for (const { amountMinor } of lines.filter(({ lineId }) => !isPlan(lineId))) {
      const paidMinor = Math.min(restMinor, amountMinor);
      restMinor -= paidMinor;
      unpaid.push({ currency, amountMinor: amountMinor - paidMinor });
    }
    for (const { lineId, quantity, amountMinor } of lines.filter((line) => isPlan(line.lineId))) {
      const items = leftByRefund.get(lineId)?.splice(0, quantity) ?? [];
      // In the currency of the refund, which may be another than the premium's: so by the share that is paid.
      const paidMinor = Math.min(restMinor, amountMinor);
      for (const item of items)
        add(item, amountMinor === 0 ? 0 : Math.floor((item.sold.premiumMinor * paidMinor) / amountMinor));
      restMinor -= paidMinor;
    }
    if (restMinor > 0) pools.set(currency, (pools.get(currency) ?? 0) + restMinor);
  }
  for (const line of order.lines.filter(({ kind }) => kind === "product")) {
    const present = order.cancelledAt === null ? line.current : 0;
    const removed = Math.max(0, line.ordered - present - line.refunded);
    takeFrom(line.currency, removed * line.paidMinor);
  }
  // All products of a cancelled order are to be paid back; in another one, something else may have been given for them.
  if (order.cancelledAt !== null)
    for (const { currency, amountMinor } of unpaid) takeFrom(currency, amountMinor);
  for (const item of order.items) {
    if (endReasonOf(order, item) === null && standingOf(item) !== "ended") continue;
    const owedMinor = Math.max(0, premiumOf(order, item) - (refunded.get(item) ?? 0));
    add(item, takeFrom(item.sold.currency, owedMinor));
  }
  return { refunded, pools };
}

/** When the split changes although nothing happens: a refund that does not settle, or was requested and does not come. */
export function splitChangesAt(order: Order, now: Date): Date | null {
  const times = [
    ...order.refunds
      .filter(({ status }) => status === "pending")
      .map(({ asOf }) => asOf.getTime() + PENDING_REFUND_MS),
    ...order.items
      .filter(({ left }) => left === null)
      .flatMap(({ refundRequestedAt }) =>
        refundRequestedAt === null ? [] : refundRequestedAt.getTime() + REQUESTED_REFUND_MS,
      ),
  ].filter((time) => time > now.getTime());
  return times.length === 0 ? null : new Date(Math.min(...times) + 1);
}

const byId = (refunds: readonly Refund[]) =>
  refunds.toSorted((a, b) => a.asOf.getTime() - b.asOf.getTime() || (a.refundId < b.refundId ? -1 : 1));
