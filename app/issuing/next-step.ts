/**
 * What to do next for an order, given all that is stored of it. The reconciler is level-triggered: it does not matter
 * which webhook, job or person started it. Every mix of states is a row in test/issuing/next-step.test.ts.
 */
import type { FulfilmentTime } from "#app/merchants/settings.ts";
import type { SalesRecordStatus } from "#app/orders/sales-record.ts";
import { mayHaveContract, type Reason, type ItemState } from "#app/orders/book/item-states.ts";

export interface ItemSituation {
  lineId: string;
  itemNumber: number;
  /** the number of the item of its plan line whose cover moved to this one */
  replacesItem: number | null;
  state: ItemState;
  wanted: boolean;
  contractId: string | null;
  reason: Reason | null;
  fulfilledAt: Date | null;
  /** the product's line; null where it is not known */
  insuredLineId: string | null;
  /** when its contract was created or found */
  insuredAt: Date | null;
  /** when its customer was mailed what they have */
  mailedAt: Date | null;
  changedAt: Date;
  /** the last event of it that Shopify Flow received */
  flowState: FlowState | null;
}

/** The events of a contract that start workflows (Shopify Flow). */
export const flowStates = ["active", "attention", "ended"] as const;
export type FlowState = (typeof flowStates)[number];

/** A product's line of the order. */
export interface GoodsLine {
  lineId: string;
  requiresShipping: boolean;
  /** how many of its items were sent or handed over */
  fulfilledQuantity: number;
}

/** The order's automatic quotes (app/quotes/of-orders). */
export interface QuoteSituation {
  /** it has quotes, or may still show some */
  exist: boolean;
  /** when its items without insurance are due to get quotes; null: they get none, or it was decided */
  decideAt: Date | null;
  /** when its open quotes are to be searched for among the sold contracts; null: there is none */
  searchAt: Date | null;
}

/**
 * What the current run leaves out: it was done, failed, or has to wait. `insurer` is every request to the insurer,
 * service, `shop` every request to the shop.
 */
export type Skip = "insurer" | "shop" | "record" | "fulfil" | "update_quotes" | "show_cover";

export interface OrderState<Item extends ItemSituation> {
  paid: boolean;
  cancelled: boolean;
  salesRecordStatus: SalesRecordStatus;
  items: readonly Item[];
  skips: readonly Skip[];
  /** when the app fulfils the lines of contracts */
  fulfilsPlans: FulfilmentTime;
  /** the order's products */
  goods: readonly GoodsLine[];
  /** the merchant has the app show the cover on the order's page */
  showsCover: boolean;
  /** the app mails the customer what they have */
  mailsContracts: boolean;
  /** the shop has the app, so that contracts start its workflows (Shopify Flow) */
  isInstalled: boolean;
  /** contracts that its customer made from quotes */
  soldQuotes: readonly unknown[];
  quotes: QuoteSituation;
  now: Date;
}

/** Steps that need no request. */
export type LedgerStep<Item> =
  /** Its creation was interrupted: the worker is gone. */
  | { do: "mark_worker_lost"; item: Item }
  /** It is to end, and the insurer has not said whether it has a contract. */
  | { do: "recheck"; item: Item }
  /** It has no contract and is not to get one. */
  | { do: "withdraw"; item: Item }
  /** Its customer is mailed which contracts they have. */
  | { do: "mail_contracts"; items: Item[] }
  /** The events of these items start the shop's workflows. */
  | { do: "start_flows"; items: Item[] };

/** Steps that request something of the insurer. */
export type InsurerStep<Item> =
  /** Their creation was sent; find out what became of it. */
  | { do: "look_up"; items: Item[] }
  | { do: "create"; item: Item }
  /** Send the order's sales record. */
  | { do: "record" }
  /** Cancel the order at the insurer, with all its contracts. */
  | { do: "cancel"; items: Item[] }
  /** The insurer only cancels whole orders: a task requests that the merchant have this one contract cancelled. */
  | { do: "request_manual_cancellation"; item: Item };

/** Steps that make the shop's order show what is insured. */
export type ShopStep =
  /** Fulfil the lines of contracts, so that the order can close. */
  | { do: "fulfil" }
  /** Decide, request, search and show the quotes of what stayed without insurance. */
  | { do: "update_quotes" }
  /** Write the cover into the order's metafield, where it has changed. */
  | { do: "show_cover" };

export type Step<Item> = LedgerStep<Item> | InsurerStep<Item> | ShopStep | { do: "nothing" };

/** Contracts first: the customer's insurance never waits for what the shop shows. The cover is last, it shows the rest. */
export function nextStep<Item extends ItemSituation>(order: OrderState<Item>): Step<Item> {
  const step = nextContractStep(order);
  if (step !== null && !(isInsurerStep(step) && order.skips.includes("insurer"))) return step;
  const items = itemsToMail(order);
  if (items.length > 0) return { do: "mail_contracts", items };
  const told = itemsToNotify(order);
  if (told.length > 0) return { do: "start_flows", items: told };
  return nextShopStep(order) ?? { do: "nothing" };
}

/** A customer is not written to about a contract of long ago, where mail is turned on after the sale. */
const MAIL_WITHIN_MS = 30 * 24 * 3_600_000;
/** Contracts of one mail. */
const MAX_MAILED = 20;

/** The contracts that a customer has got no mail about: all of the order in one, so it waits for those being created. */
function itemsToMail<Item extends ItemSituation>({
  mailsContracts,
  cancelled,
  items,
  now,
}: OrderState<Item>): Item[] {
  if (!mailsContracts || cancelled) return [];
  if (items.some(({ wanted, state }) => wanted && (state === "pending" || state === "unknown"))) return [];
  return items
    .filter(
      ({ state, wanted, mailedAt, insuredAt }) =>
        state === "active" &&
        wanted &&
        mailedAt === null &&
        insuredAt !== null &&
        now.getTime() - insuredAt.getTime() < MAIL_WITHIN_MS,
    )
    .slice(0, MAX_MAILED);
}

/** Workflows learn nothing of long ago, such as after the app was removed and installed again. */
const TELL_WITHIN_MS = 24 * 3_600_000;
const MAX_TOLD = 50;

/** The event of an item as it is; null: none. */
export function flowStateOf({
  state,
  contractId,
}: Pick<ItemSituation, "state" | "contractId">): FlowState | null {
  if (state === "active") return "active";
  if (state === "attention" || state === "refused") return "attention";
  return state === "cancelled" && contractId !== null ? "ended" : null;
}

function itemsToNotify<Item extends ItemSituation>({ isInstalled, items, now }: OrderState<Item>): Item[] {
  if (!isInstalled) return [];
  return items
    .filter((item) => {
      const flowState = flowStateOf(item);
      const isRecent = now.getTime() - item.changedAt.getTime() < TELL_WITHIN_MS;
      return flowState !== null && flowState !== item.flowState && isRecent;
    })
    .slice(0, MAX_TOLD);
}

/** Whether contracts or the sales record of the order wait for the insurer. */
export function needsInsurer<Item extends ItemSituation>(order: OrderState<Item>): boolean {
  const step = nextContractStep(order);
  return step !== null && isInsurerStep(step);
}

const insurerSteps: ReadonlySet<string> = new Set<InsurerStep<unknown>["do"]>([
  "look_up",
  "create",
  "record",
  "cancel",
  "request_manual_cancellation",
]);

export function isInsurerStep<Item>(step: Step<Item>): step is InsurerStep<Item> {
  return insurerSteps.has(step.do);
}

function nextContractStep<Item extends ItemSituation>(
  order: OrderState<Item>,
): LedgerStep<Item> | InsurerStep<Item> | null {
  const { items } = order;
  const interrupted = items.find(({ state }) => state === "creating");
  if (interrupted) return { do: "mark_worker_lost", item: interrupted };
  // Nothing else is sent while an outcome is unknown: two equal items could not be distinguished afterwards.
  const unknown = items.filter(({ state }) => state === "unknown");
  if (unknown.length > 0) return { do: "look_up", items: unknown };

  const wanted = items.filter((item) => item.wanted && !order.cancelled);
  const ending = items.filter(
    (item) => !wanted.includes(item) && item.state !== "cancelled" && !waitsForReplacement(item, wanted),
  );
  const unclear = ending.find(({ state, reason }) => state === "attention" && reason === "contract_unclear");
  if (unclear) return { do: "recheck", item: unclear };
  const toWithdraw = ending.find((item) => !mayHaveContract(item));
  if (toWithdraw) return { do: "withdraw", item: toWithdraw };

  const toCreate = order.paid ? wanted.find(({ state }) => state === "pending") : undefined;
  if (toCreate) return { do: "create", item: toCreate };
  if (order.paid && order.salesRecordStatus === "none" && !order.skips.includes("record")) {
    return { do: "record" };
  }

  const stillInsured = wanted.some(({ state }) => state !== "cancelled");
  if (!stillInsured && isToCancel(order, ending)) return { do: "cancel", items: ending };
  const alone = ending.find(({ state }) => state === "active" || state === "cancelling");
  return alone ? { do: "request_manual_cancellation", item: alone } : null;
}

/** A contract whose cover moves to another product goes on until that one's is in force. */
function waitsForReplacement(item: ItemSituation, wanted: readonly ItemSituation[]): boolean {
  const replacement = wanted.find(
    ({ lineId, replacesItem }) => lineId === item.lineId && replacesItem === item.itemNumber,
  );
  const isOver = replacement === undefined || ["active", "cancelled"].includes(replacement.state);
  return !isOver && mayHaveContract(item);
}

/**
 * Whether a cancellation has to be sent. Where the insurer refused one (the order's status is cancelled all the same),
 * the merchant cancels what is left, and repeating the request would never end.
 */
function isToCancel<Item extends ItemSituation>(order: OrderState<Item>, ending: readonly Item[]): boolean {
  if (order.salesRecordStatus === "cancelled") return ending.some(({ state }) => state !== "attention");
  return ending.length > 0 || (order.cancelled && order.salesRecordStatus === "recorded");
}

function nextShopStep<Item extends ItemSituation>(order: OrderState<Item>): ShopStep | null {
  const { skips, items, quotes, now } = order;
  const isSkipped = (step: ShopStep["do"]) => skips.includes("shop") || skips.includes(step);
  if (unfulfilledItems(order).length > 0 && !isSkipped("fulfil")) return { do: "fulfil" };
  const hasQuoteWork = quotes.exist || (quotes.decideAt !== null && quotes.decideAt <= now);
  if (hasQuoteWork && !isSkipped("update_quotes")) return { do: "update_quotes" };
  // An order that is not paid has contracts to come, which its page must not promise.
  const hasCover = (order.paid && items.length > 0) || order.soldQuotes.length > 0;
  return order.showsCover && hasCover && !isSkipped("show_cover") ? { do: "show_cover" } : null;
}

/**
 * The items whose items are to be fulfilled, or are. An order of which anything is fulfilled can no longer be cancelled,
 * so a plan waits for its product: the first item sent is that of the first item. What never ships waits for nothing.
 */
export function itemsToFulfil<Item extends ItemSituation>({
  fulfilsPlans,
  items,
  goods,
}: Pick<OrderState<Item>, "fulfilsPlans" | "items" | "goods">): Item[] {
  if (fulfilsPlans === "never") return [];
  const active = items.filter(({ state }) => state === "active");
  const ships = goods.some(({ requiresShipping }) => requiresShipping);
  if (fulfilsPlans === "at_once" || !ships) return active;
  const sentOf = new Map(goods.map(({ lineId, fulfilledQuantity }) => [lineId, fulfilledQuantity]));
  const isAnySent = goods.some(({ fulfilledQuantity }) => fulfilledQuantity > 0);
  return active.filter(({ insuredLineId }) => {
    if (insuredLineId === null) return isAnySent;
    const sent = sentOf.get(insuredLineId) ?? 0;
    sentOf.set(insuredLineId, sent - 1);
    return sent > 0;
  });
}

const unfulfilledItems = <Item extends ItemSituation>(order: OrderState<Item>): Item[] =>
  itemsToFulfil(order).filter(({ fulfilledAt }) => fulfilledAt === null);

/** What could not be fulfilled now, because Shopify holds it back, is tried again after this time at the earliest. */
const FULFIL_AGAIN_MS = 3_600_000;
const FULFIL_AT_LEAST_MS = 24 * 3_600_000;

/** The longer a line could not be fulfilled, the less often it is tried: after a tenth of that time, at least daily. */
function fulfilAgainAt<Item extends ItemSituation>(order: OrderState<Item>): Date | null {
  const now = order.now.getTime();
  const waiting = unfulfilledItems(order);
  if (waiting.length === 0) return null;
  const since = Math.max(...waiting.map(({ insuredAt }) => insuredAt?.getTime() ?? now));
  return new Date(now + Math.min(FULFIL_AT_LEAST_MS, Math.max(FULFIL_AGAIN_MS, (now - since) / 10)));
}

/** When the order needs the reconciler again though nothing happens to it; null: never. */
export function nextDueAt<Item extends ItemSituation>(order: OrderState<Item>): Date | null {
  const { quotes } = order;
  const fulfilAt = fulfilAgainAt(order);
  const times = [fulfilAt, quotes.decideAt, quotes.searchAt].flatMap((time) => time?.getTime() ?? []);
  return times.length === 0 ? null : new Date(Math.min(...times));
}
