/** Pure: which items of plan lines are to be fulfilled, what the customer is shown of the cover, and the order's tags. */
import type { Environment } from "#app/merchants/connection.ts";
import type { OrderTag } from "#app/orders/book/events.ts";
import { type Order, standingOf } from "#app/orders/book/evolve.ts";
import type { ItemState } from "#app/orders/book/item-states.ts";
import { isShownAsSold } from "#app/orders/book/quote-rules.ts";
import { tasksOf } from "#app/orders/book/tasks.ts";
import { endOf, lastWithdrawalDay } from "#app/withdrawals/withdrawal.ts";
import { cutText } from "#app/platform/storable-text.ts";
import type { FulfilmentOrder } from "#app/shopify/fulfilment.ts";
import type { CoverState, CoverItem, OrderCover } from "../../extensions/cover/src/cover.ts";

export interface Fulfilment {
  fulfilmentOrderId: string;
  lines: { id: string; quantity: number }[];
}

export interface FulfilmentStep {
  fulfilments: Fulfilment[];
  /** plan lines with items that cannot be fulfilled now: their fulfilment order is on hold, or not shown to the app */
  blocked: string[];
}

/**
 * Compares with what Shopify shows, so that it does not matter who fulfilled what, or how often this runs.
 * @param contracts by plan line: how many of its items have a contract in force and are to be fulfilled
 */
export function planLinesToFulfil(
  contracts: ReadonlyMap<string, number>,
  orders: readonly FulfilmentOrder[],
): FulfilmentStep {
  const fulfilments: Fulfilment[] = [];
  const blocked: string[] = [];
  for (const [lineId, count] of contracts) {
    const lines = orders.flatMap((order) =>
      order.lines.filter((line) => line.lineId === lineId).map((line) => ({ ...line, order })),
    );
    const current = lines[0]?.currentQuantity ?? 0;
    const remaining = lines.reduce((sum, line) => sum + line.remainingQuantity, 0);
    let due = Math.min(remaining, count - (current - remaining));
    for (const { id, order, remainingQuantity } of lines) {
      const quantity = Math.min(due, remainingQuantity);
      if (quantity <= 0 || !order.isOpen) continue;
      due -= quantity;
      const known = fulfilments.find(({ fulfilmentOrderId }) => fulfilmentOrderId === order.id);
      if (known) known.lines.push({ id, quantity });
      else fulfilments.push({ fulfilmentOrderId: order.id, lines: [{ id, quantity }] });
    }
    // A line that no fulfilment order shows belongs to another app's service: whether it is fulfilled is not known.
    if (due > 0 || lines.length === 0) blocked.push(lineId);
  }
  return { fulfilments, blocked };
}

/** A metafield is read whole whenever the order's page is opened: a large order lists its first items. */
export const LISTED_ITEMS = 20;
/** Titles are the shop's and the insurer's, of any length. */
const MAX_TITLE = 120;

export interface CoveredItem {
  state: ItemState;
  wanted: boolean;
  contractId: string | null;
  planTitle: string;
  insuredTitle: string | null;
  expiresOn: string | null;
  /** when its contract was created or found */
  insuredAt: Date | null;
  /** links of the category's legal documents; empty where there are none */
  conditions: string;
  ipid: string;
}

/** What a cover says beside its items. */
export interface CoveredOrder {
  environment: Environment;
  cancelledAt: Date | null;
  /** the app's address */
  app: string;
  /** where its customer has what they need to report a claim */
  claims: string;
  /** where its customer withdraws from contracts, within this many days; the time zone is the shop's */
  withdrawal: { url: string; days: number; timezone: string };
}

/** @param items in the order of the order's lines */
export function orderCover(order: CoveredOrder, items: readonly CoveredItem[]): OrderCover {
  return {
    isTest: order.environment === "test",
    items: items.slice(0, LISTED_ITEMS).map(coverItem),
    more: Math.max(0, items.length - LISTED_ITEMS),
    withdrawal: withdrawalUntil(order, items),
    claims: items.some(({ contractId, state }) => contractId !== null && state !== "cancelled")
      ? order.claims
      : null,
    app: order.app,
  };
}

/** Until when there is something to withdraw from: the end of the time of the contract that came last. */
function withdrawalUntil(
  { cancelledAt, withdrawal: { url, days, timezone } }: CoveredOrder,
  items: readonly CoveredItem[],
): OrderCover["withdrawal"] {
  const concluded = items
    .filter(({ wanted, state }) => wanted && state !== "cancelled")
    .flatMap(({ insuredAt }) => insuredAt ?? []);
  if (days === 0 || cancelledAt !== null || concluded.length === 0) return null;
  const latest = Math.max(...concluded.map((insuredAt) => insuredAt.getTime()));
  const last = lastWithdrawalDay(new Date(latest), days, timezone);
  return { url, until: endOf(last, timezone).toISOString() };
}

function coverItem(item: CoveredItem): CoverItem {
  const hasContract = item.contractId !== null;
  return {
    product: item.insuredTitle === null ? null : cutText(item.insuredTitle, MAX_TITLE),
    plan: cutText(item.planTitle, MAX_TITLE),
    state: coverState(item.state, hasContract),
    contract: item.contractId,
    since: hasContract ? (item.insuredAt?.toISOString() ?? null) : null,
    until: hasContract ? item.expiresOn : null,
    conditions: item.conditions || null,
    ipid: item.ipid || null,
  };
}

/** A contract that could not be cancelled is in force until a person has ended it, whatever its task says. */
function coverState(state: ItemState, hasContract: boolean): CoverState {
  switch (state) {
    case "pending":
    case "creating":
    case "unknown":
      return "waiting";
    case "active":
      return "active";
    case "cancelling":
      return "ending";
    case "cancelled":
      return "ended";
    case "refused":
    case "attention":
      return hasContract ? "ending" : "attention";
  }
}

/** The tags that staff find the order by: one while a contract is in force, one while a task is open. */
export function tagsOf(order: Order, now: Date): OrderTag[] {
  const isInsured =
    order.items.some((item) => standingOf(item) === "in_force") ||
    order.quotes.some((quote) => isShownAsSold(order, quote) && quote.reason !== "contract_cancelled");
  return [
    ...(isInsured ? (["insured"] as const) : []),
    ...(tasksOf(order, now).length > 0 ? (["insurance-attention"] as const) : []),
  ];
}
