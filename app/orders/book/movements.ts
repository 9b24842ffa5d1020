/**
 * The movements of an order's money: what each change of its book adds to the premiums collected and to what the insurer
 * is owed. They are differences, so what was written once stays, and together they are the order as it is.
 */
import { type KeptEvent, nameOf } from "./events.ts";
import { type Item, type Order, replacementOf } from "./evolve.ts";
import { premiumOf, splitPremiums } from "./money.ts";

export const movementKinds = [
  /** the price of the offer, once its premium is paid */
  "premium",
  /** what the customer paid less than that price, negative */
  "discount",
  /** what was paid back of the premium, negative */
  "refund",
  /** a contract came into being: the insurer is owed its price */
  "contract",
  /** it ended: the insurer is owed nothing any more, negative */
  "contract_end",
] as const;
export type MovementKind = (typeof movementKinds)[number];

export interface MovementRow {
  lineId: string;
  itemNumber: number;
  environment: "test" | "production";
  kind: MovementKind;
  /** minor units */
  amountMinor: number;
  currency: string;
  /** when it happened in the shop or at the insurer */
  happenedAt: Date;
  /** when the book knew of it */
  knownAt: Date;
}

/** The sums of an item's movements. */
interface Account {
  premiumMinor: number;
  discountMinor: number;
  refundMinor: number;
  owedMinor: number;
}

const nothing: Account = { premiumMinor: 0, discountMinor: 0, refundMinor: 0, owedMinor: 0 };

/** @param now of the change: when `added` became known */
export function movementRows(
  before: Order,
  order: Order,
  added: readonly KeptEvent[],
  now: Date,
): MovementRow[] {
  const was = accountsOf(before, now);
  const is = accountsOf(order, now);
  return order.items.flatMap((item) => {
    const name = nameOf(item);
    const old = was.get(name) ?? nothing;
    const account = is.get(name) ?? nothing;
    const paidAt = earlierOf(before.paid === null ? (order.paid?.at ?? now) : now, now);
    const owedMinor = account.owedMinor - old.owedMinor;
    const amounts: [MovementKind, number, Date][] = [
      ["premium", account.premiumMinor - old.premiumMinor, paidAt],
      ["discount", account.discountMinor - old.discountMinor, paidAt],
      ["refund", account.refundMinor - old.refundMinor, refundedAt(added, now)],
      [owedMinor < 0 ? "contract_end" : "contract", owedMinor, now],
    ];
    return amounts
      .filter(([, amountMinor]) => amountMinor !== 0)
      .map(([kind, amountMinor, happenedAt]) => ({
        lineId: item.lineId,
        itemNumber: item.number,
        environment: order.placed?.environment ?? "test",
        kind,
        amountMinor,
        currency: item.sold.currency,
        happenedAt,
        knownAt: now,
      }));
  });
}

function accountsOf(order: Order, now: Date): Map<string, Account> {
  const { premiums } = splitPremiums(order, now);
  // Shopify names no items of an order that was paid back as a whole: its premiums are among the money.
  const isAllPaidBack = order.isPaidBack && order.paid !== null;
  return new Map(
    order.items.map((item) => {
      const refundedMinor = isAllPaidBack ? premiumOf(order, item) : (premiums.get(item)?.refundedMinor ?? 0);
      return [nameOf(item), accountOf(order, item, refundedMinor)];
    }),
  );
}

function accountOf(order: Order, item: Item, refundedMinor: number): Account {
  // No one pays for a test order. A contract that staff had issued for it in production is owed all the same.
  const isUnpaidTest = order.placed?.isTest === true && order.placed.environment === "production";
  // The premium of a replaced item is its replacement's.
  const hasPremium = order.paid !== null && !isUnpaidTest && replacementOf(order, item) === undefined;
  const paidMinor = hasPremium ? item.sold.premiumMinor : 0;
  const priceMinor = hasPremium ? item.sold.offerPriceMinor : 0;
  const isOwed = item.insuredAt !== null && item.contract !== null && item.contract.status !== "cancelled";
  return {
    premiumMinor: priceMinor,
    discountMinor: paidMinor - priceMinor,
    refundMinor: hasPremium ? -refundedMinor : 0,
    owedMinor: isOwed ? item.sold.offerPriceMinor : 0,
  };
}

/** When the last refund of a change was made; what a person noted or concluded happened as it became known. */
function refundedAt(added: readonly KeptEvent[], now: Date): Date {
  const times = added.flatMap((event) =>
    event.type === "refund" || event.type === "paid_back" ? [event.asOf.getTime()] : [],
  );
  return times.length === 0 ? now : earlierOf(new Date(Math.max(...times)), now);
}

/** A clock of Shopify that is ahead moves nothing into a month that has not begun. */
const earlierOf = (a: Date, b: Date): Date => (a < b ? a : b);
