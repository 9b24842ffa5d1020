/**
 * What to do next for an order, given its book and what is set for its shop. The reconciler is level-triggered: it does
 * not matter which webhook, job or person started it.
 */
import type { FulfilmentTime } from "#app/merchants/settings.ts";
import type { EventOf, OrderTag } from "#app/orders/book/events.ts";
import {
  endReasonOf,
  type Item,
  type Order,
  ownEndReasonOf,
  replacementOf,
  standingOf,
} from "#app/orders/book/evolve.ts";
import { isUnderWay, splitChangesAt, splitPremiums } from "#app/orders/book/money.ts";
import { type ContractStep, nextContractStep } from "#app/orders/book/next-contract-step.ts";
import { isShownAsSold, type QuoteSituation } from "#app/orders/book/quote-rules.ts";
import { stateOf } from "#app/orders/book/projection.ts";
import { tagsOf } from "./shop-steps.ts";

/** `kept`: by the order's state; `removed`: the merchant has turned them off; `none`: the app may not write orders. */
export type Tagging = "kept" | "removed" | "none";

export type FlowState = EventOf<"flow_started">["state"];

/**
 * What the current run leaves out: it was done, failed, or has to wait. `insurer` is every request to the insurer,
 * `shop` every request to the shop.
 */
export type Skip = "insurer" | "shop" | "record" | "fulfil" | "update_quotes" | "show_cover" | "tag";

export interface OrderSituation {
  order: Order;
  skips: readonly Skip[];
  /** when the app fulfils the lines of contracts */
  fulfilsPlans: FulfilmentTime;
  /** the merchant has the app show the cover on the order's page */
  showsCover: boolean;
  /** whether the order has Parasol's tags in the shop */
  tagging: Tagging;
  /** the app mails the customer what they have */
  mailsContracts: boolean;
  /** the shop has the app, so that contracts start its workflows (Shopify Flow) */
  isInstalled: boolean;
  quotes: QuoteSituation;
  now: Date;
  /** when the database was restored to a moment after which the order may have been worked on; null: never */
  restoredAt: Date | null;
  /** seconds after an unclear request from which "not in the list" means that it made no contract */
  conclusiveAfterS: number;
}

/** Steps that need no request. */
export type BookStep =
  | Extract<ContractStep, { do: "doubt" }>
  /** Its customer is mailed which contracts they have. */
  | { do: "mail_contracts"; items: Item[] }
  /** The events of these items start the shop's workflows. */
  | { do: "start_flows"; items: Item[] };

/** Steps that request something of the insurer. */
export type InsurerStep = Exclude<ContractStep, { do: "doubt" | "wait" | "nothing" }>;

/** Steps that make the shop's order show what is insured. */
export type ShopStep =
  /** Fulfil the lines of contracts, so that the order can close. */
  | { do: "fulfil" }
  /** Decide, request, search and show the quotes of what stayed without insurance. */
  | { do: "update_quotes" }
  /** Write the cover into the order's metafield, where it has changed. */
  | { do: "show_cover" }
  /** Give the order these of Parasol's tags, and take the others off. */
  | { do: "tag"; tags: readonly OrderTag[] };

export type Step =
  | BookStep
  | InsurerStep
  | ShopStep
  /** Nothing can be known, or sent, before then. */
  | { do: "wait"; until: Date }
  | { do: "nothing" };

/** What is to be done at the insurer. */
export const contractStepOf = (situation: OrderSituation): ContractStep =>
  nextContractStep(situation.order, {
    now: situation.now,
    restoredAt: situation.restoredAt,
    conclusiveAfterS: situation.conclusiveAfterS,
    leavesRecord: situation.skips.includes("record"),
  });

/** Contracts first: the customer's insurance never waits for what the shop shows. The cover is last, it shows the rest. */
export function nextStep(situation: OrderSituation): Step {
  const step = contractStepOf(situation);
  const isLeft = step.do !== "doubt" && situation.skips.includes("insurer");
  if (step.do !== "nothing" && !isLeft) return step;
  const mailed = itemsToMail(situation);
  if (mailed.length > 0) return { do: "mail_contracts", items: mailed };
  const told = itemsToNotify(situation);
  if (told.length > 0) return { do: "start_flows", items: told };
  return nextShopStep(situation) ?? { do: "nothing" };
}

/** A customer is not written to about a contract of long ago, where mail is turned on after the sale. */
const MAIL_WITHIN_MS = 30 * 24 * 3_600_000;
/** Contracts of one mail. */
const MAX_MAILED = 20;

/** The contracts that a customer has got no mail about: all of the order in one, so it waits for those being created. */
function itemsToMail({ mailsContracts, order, now }: OrderSituation): Item[] {
  if (!mailsContracts || order.cancelledAt !== null) return [];
  const wanted = order.items.filter((item) => ownEndReasonOf(order, item) === null);
  if (wanted.some((item) => isUnderWay(order, item) && standingOf(item) !== "sending")) return [];
  return wanted
    .filter(
      (item) =>
        standingOf(item) === "in_force" &&
        // The merchant has yet to say what the insurer's word means.
        item.contract?.status !== "listed" &&
        item.mailedAt === null &&
        item.insuredAt !== null &&
        now.getTime() - item.insuredAt.getTime() < MAIL_WITHIN_MS,
    )
    .slice(0, MAX_MAILED);
}

/** Workflows learn nothing of long ago, such as after the app was removed and installed again. */
const TELL_WITHIN_MS = 24 * 3_600_000;
const MAX_TOLD = 50;

/** The event of an item as it is; null: none. */
export function flowStateOf(order: Order, item: Item): FlowState | null {
  const state = stateOf(order, item);
  if (state === "active") return "active";
  if (state === "attention" || state === "refused") return "attention";
  return state === "cancelled" && item.contract !== null ? "ended" : null;
}

function itemsToNotify({ isInstalled, order, now }: OrderSituation): Item[] {
  if (!isInstalled) return [];
  return order.items
    .filter((item) => {
      const flowState = flowStateOf(order, item);
      const isRecent = now.getTime() - item.changedAt.getTime() < TELL_WITHIN_MS;
      return flowState !== null && flowState !== item.flowState && isRecent;
    })
    .slice(0, MAX_TOLD);
}

/** Whether contracts or the sales record of the order wait for the insurer. */
export const needsInsurer = (situation: OrderSituation): boolean => {
  const step = contractStepOf(situation);
  return step.do === "wait" || isInsurerStep(step);
};

const insurerSteps: ReadonlySet<string> = new Set<InsurerStep["do"]>([
  "look_up",
  "request",
  "record",
  "cancel",
  "look_up_cancelled",
  "hand_over",
]);

export function isInsurerStep(step: Step | ContractStep): step is InsurerStep {
  return insurerSteps.has(step.do);
}

function nextShopStep(situation: OrderSituation): ShopStep | null {
  const { order, skips, quotes, now } = situation;
  const isSkipped = (step: ShopStep["do"]) => skips.includes("shop") || skips.includes(step);
  if (unfulfilledItems(situation).length > 0 && !isSkipped("fulfil")) return { do: "fulfil" };
  const hasQuoteWork = quotes.exist || (quotes.decideAt !== null && quotes.decideAt <= now);
  if (hasQuoteWork && !isSkipped("update_quotes")) return { do: "update_quotes" };
  // An order that is not paid has contracts to come, which its page must not promise.
  const hasCover =
    (order.paid !== null && order.items.length > 0) ||
    order.quotes.some((quote) => isShownAsSold(order, quote));
  if (situation.showsCover && hasCover && !isSkipped("show_cover")) return { do: "show_cover" };
  const tags = tagsToShow(situation);
  return tags !== null && !isSkipped("tag") ? { do: "tag", tags } : null;
}

/** null: the order has the right tags, or the app may not change them. */
function tagsToShow({ tagging, order, now }: OrderSituation): OrderTag[] | null {
  if (tagging === "none") return null;
  const tags = tagging === "kept" ? tagsOf(order, now) : [];
  return tags.length === order.tags.length && tags.every((tag) => order.tags.includes(tag)) ? null : tags;
}

/**
 * The items whose lines are to be fulfilled, or are. An order of which anything is fulfilled can no longer be cancelled,
 * so a plan waits for its product: the first item sent is that of the first plan. What never ships waits for nothing, nor
 * does insurance that ended and whose premium is settled another way than with its item.
 */
export function itemsToFulfil({
  fulfilsPlans,
  order,
  now,
}: Pick<OrderSituation, "fulfilsPlans" | "order" | "now">): Item[] {
  if (fulfilsPlans === "never") return [];
  const { premiums } = splitPremiums(order, now);
  const goods = order.lines.filter(({ kind }) => kind === "product");
  const active = order.items.filter((item) => stateOf(order, item) === "active");
  const settled = order.items.filter(
    (item) =>
      item.left === null &&
      endReasonOf(order, item) !== null &&
      ["none", "refused", "ended"].includes(standingOf(item)) &&
      replacementOf(order, item) === undefined &&
      order.cancelledAt === null &&
      premiumIsSettled(item, premiums.get(item)),
  );
  const ships = goods.some(({ requiresShipping }) => requiresShipping);
  if (fulfilsPlans === "at_once" || !ships) return [...active, ...settled];
  const sentOf = new Map(goods.map(({ lineId, fulfilled }) => [lineId, fulfilled]));
  const isAnySent = goods.some(({ fulfilled }) => fulfilled > 0);
  const sent = active.filter(({ insured }) => {
    if (insured === null) return isAnySent;
    const left = sentOf.get(insured.lineId) ?? 0;
    sentOf.set(insured.lineId, left - 1);
    return left > 0;
  });
  return [...sent, ...(isAnySent ? settled : [])];
}

const premiumIsSettled = (
  item: Item,
  premium: { refundedMinor: number; keptMinor: number } | undefined,
): boolean => premium !== undefined && premium.refundedMinor + premium.keptMinor >= item.sold.premiumMinor;

const unfulfilledItems = (situation: OrderSituation): Item[] =>
  itemsToFulfil(situation).filter(({ fulfilledAt }) => fulfilledAt === null);

/** What could not be fulfilled now, because Shopify holds it back, is tried again after this time at the earliest. */
const FULFIL_AGAIN_MS = 3_600_000;
const FULFIL_AT_LEAST_MS = 24 * 3_600_000;

/** The longer a line could not be fulfilled, the less often it is tried: after a tenth of that time, at least daily. */
function fulfilAgainAt(situation: OrderSituation): Date | null {
  const now = situation.now.getTime();
  const waiting = unfulfilledItems(situation);
  if (waiting.length === 0) return null;
  const since = Math.max(...waiting.map(({ insuredAt }) => insuredAt?.getTime() ?? now));
  return new Date(now + Math.min(FULFIL_AT_LEAST_MS, Math.max(FULFIL_AGAIN_MS, (now - since) / 10)));
}

/** When the order needs the reconciler again though nothing happens to it; null: never. */
export function nextDueAt(situation: OrderSituation): Date | null {
  const { quotes } = situation;
  const fulfilAt = fulfilAgainAt(situation);
  const moneyAt = splitChangesAt(situation.order, situation.now);
  const times = [fulfilAt, moneyAt, quotes.decideAt, quotes.searchAt].flatMap(
    (time) => time?.getTime() ?? [],
  );
  return times.length === 0 ? null : new Date(Math.min(...times));
}
