/**
 * What needs a person, derived from an order's book. A task is gone once the events no longer yield it; an answer is an
 * event that names the amount, so the task comes back when more is at stake.
 */
import { nameOf } from "./events.ts";
import { type TaskDetails, contractText, NO_DEADLINE } from "#app/orders/tasks/tasks.ts";
import { conclude } from "./conclude.ts";
import {
  type Decided,
  endReasonOf,
  type Item,
  needsAnswer,
  type Order,
  ownEndReasonOf,
  replacementOf,
  standingOf,
} from "./evolve.ts";
import { doubtQuestion, lacksCustomer, type OrderMoney, premiumOf, splitPremiums } from "./money.ts";

/** The kinds of tasks that are about an order, and derived. */
export const orderTaskKinds = [
  "check_plan",
  "line_left_out",
  "customer_data",
  "customer_erased",
  "plan_refused",
  "contract_unclear",
  "look_up_failed",
  "order_refused",
  "manual_cancellation",
  "withdrawal",
  "product_returned",
  "paid_back",
  "premium_kept",
  "surplus_contract",
  "cancelled_elsewhere",
  "contract_doubtful",
  "order_not_shown",
] as const;
export type OrderTaskKind = (typeof orderTaskKinds)[number];

export const isOrderTaskKind = (kind: string): kind is OrderTaskKind =>
  orderTaskKinds.some((each) => each === kind);

type TaskOf<Kind extends OrderTaskKind> = {
  kind: Kind;
  /** names the question within its order; an answer repeats it */
  question: string;
  /** the items that an answer is about */
  items: readonly Item[];
  lineId: string | null;
  itemNumber: number | null;
  details: TaskDetails<Kind>;
  /** what was paid for the insurance that it is about, minor units */
  atStakeMinor: number;
  currency: string | null;
  /** the last day that the law allows, `YYYY-MM-DD` */
  dueOn: string;
};
/** Of any of these kinds. */
type AnyOf<Kind extends OrderTaskKind> = Kind extends OrderTaskKind ? TaskOf<Kind> : never;
export type OrderTask = AnyOf<OrderTaskKind>;

export function tasksOf(order: Order, now: Date): OrderTask[] {
  const money = splitPremiums(order, now);
  const named = [
    ...checks(order),
    ...details(order),
    ...order.items.flatMap((item) => taskOfItem(order, item, money) ?? []),
    ...withdrawals(order, money),
    ...returned(order),
    ...paidBack(order, money),
    ...ofOrder(order),
  ];
  const open = named.filter((task) => !isAnswered(order, task));
  // An answer about the sale or the contract says nothing of the money: that stays open.
  return [...open, ...openPremiums(order, money, open)];
}

/** Whether a person has answered the question, at no less than what is at stake now. */
function isAnswered({ answers }: Order, { question, atStakeMinor, kind, items }: OrderTask): boolean {
  const answer = answers.get(question);
  if (answer === undefined || !closedByAnswer.has(kind) || !closes(kind, answer)) return false;
  // Handed over again, it is another question.
  if (
    kind === "manual_cancellation" &&
    items.some(({ handedOver }) => handedOver && handedOver.at > answer.at)
  )
    return false;
  return answer.amountMinor >= atStakeMinor;
}

/** What is tried again or ends shows in the order itself; so does insurance that goes on, but for money that was paid back. */
function closes(kind: OrderTaskKind, { answer }: Decided): boolean {
  if (answer === "issue" || answer === "end" || answer === "move_insurance") return false;
  return answer !== "keep_insurance" || kind === "paid_back";
}

/** Of the other kinds an answer changes the order, so that the question is not yielded any more. */
const closedByAnswer: ReadonlySet<OrderTaskKind> = new Set([
  "line_left_out",
  "order_refused",
  "manual_cancellation",
  "withdrawal",
  "paid_back",
  "surplus_contract",
  "contract_doubtful",
  "order_not_shown",
]);

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
const keyOf = ({ lineId, number }: Item) => ({ lineId, itemNumber: number });
const titleOf = ({ insured }: Item) => insured?.title ?? null;

const base = { lineId: null, itemNumber: null, items: [], dueOn: NO_DEADLINE, currency: null };

/** About one item. */
const ofItem = (order: Order, item: Item) => ({
  ...base,
  ...keyOf(item),
  items: [item],
  atStakeMinor: premiumOf(order, item),
  currency: item.sold.currency,
});

const questionOf = (kind: OrderTaskKind, { lineId, number }: Item) => `${kind}:${lineId}:${number}`;

/** One for all items of a plan line with one finding. */
function checks(order: Order): TaskOf<"check_plan">[] {
  const waiting = order.items.filter(
    (item) => standingOf(item) === "none" && needsAnswer(item) && endReasonOf(order, item) === null,
  );
  const groups = Map.groupBy(waiting, ({ lineId, sold }) => `check_plan:${lineId}:${sold.finding ?? ""}`);
  return [...groups].flatMap(([question, items]) => {
    const [first] = items;
    if (!first || first.sold.finding === null) return [];
    const premiumMinor = sumOf(items.map((item) => premiumOf(order, item)));
    const { finding, planTitle, referenceId, currency } = first.sold;
    return {
      ...base,
      kind: "check_plan",
      question,
      items,
      lineId: first.lineId,
      details: {
        finding,
        planTitle,
        insuredTitle: titleOf(first),
        offerReferenceId: referenceId,
        items: items.map(keyOf),
        premiumMinor,
        currency,
      },
      atStakeMinor: premiumMinor,
      currency,
    };
  });
}

/** One form for the order, however many plans wait for its customer's data. */
function details(order: Order): (TaskOf<"customer_data"> | TaskOf<"customer_erased">)[] {
  if (!lacksCustomer(order) || order.paid === null) return [];
  const waiting = order.items.filter(
    (item) => standingOf(item) === "none" && !needsAnswer(item) && endReasonOf(order, item) === null,
  );
  const [first] = waiting;
  if (!first) return [];
  if (order.erasedAt !== null)
    return waiting.map((item) => ({
      ...ofItem(order, item),
      kind: "customer_erased",
      question: questionOf("customer_erased", item),
      details: { planTitle: item.sold.planTitle },
    }));
  return [
    {
      ...base,
      kind: "customer_data",
      question: "customer_data",
      items: waiting,
      details: order.details,
      atStakeMinor: sumOf(waiting.map((item) => premiumOf(order, item))),
      currency: first.sold.currency,
    },
  ];
}

type ItemTaskKind =
  | "plan_refused"
  | "contract_unclear"
  | "look_up_failed"
  | "manual_cancellation"
  | "cancelled_elsewhere"
  | "contract_doubtful";

function taskOfItem(order: Order, item: Item, { premiums }: OrderMoney): AnyOf<ItemTaskKind> | null {
  const { contract, sold, handedOver } = item;
  const { planTitle } = sold;
  const standing = standingOf(item);
  const about = ofItem(order, item);
  const contractId = contract?.contractId ?? "";
  if (endReasonOf(order, item) !== null) {
    if (handedOver === null || contract === null || standing === "ended") return null;
    const replacement = replacementOf(order, item);
    return {
      ...about,
      kind: "manual_cancellation",
      question: questionOf("manual_cancellation", item),
      details: {
        contractId,
        planTitle,
        cause:
          handedOver.message !== ""
            ? "refused"
            : order.cancellation?.hasFailed === true
              ? "not_done"
              : "others",
        insurerMessage: handedOver.message,
        replacedBy:
          replacement === undefined
            ? null
            : {
                contractId: replacement.contract?.contractId ?? "",
                insuredTitle: titleOf(replacement) ?? "",
              },
      },
    };
  }
  switch (standing) {
    case "refused":
      return {
        ...about,
        kind: "plan_refused",
        question: questionOf("plan_refused", item),
        details: { planTitle, insurerMessage: item.request?.message ?? "" },
      };
    case "unknown":
    case "sending":
      if (item.lookUpProblem === null) return null;
      return {
        ...about,
        kind: "look_up_failed",
        question: questionOf("look_up_failed", item),
        details: { planTitle, problem: item.lookUpProblem },
      };
    case "unclear":
      return {
        ...about,
        kind: "contract_unclear",
        question: questionOf("contract_unclear", item),
        details: {
          planTitle,
          insurerMessage: contract ? `${contract.contractId} (${contract.statusText})` : (item.unclear ?? ""),
        },
      };
    case "ended":
      if ((premiums.get(item)?.openMinor ?? 0) === 0) return null;
      return {
        ...about,
        kind: "cancelled_elsewhere",
        question: questionOf("cancelled_elsewhere", item),
        details: { contractId, planTitle },
      };
    case "in_doubt":
      return {
        ...about,
        kind: "contract_doubtful",
        question: doubtQuestion(item),
        details: {
          contractId,
          planTitle,
          status: contract === null || contract.status === "missing" ? null : contract.statusText,
        },
      };
    default:
      return null;
  }
}

/** One for each declaration, until its premiums are settled and its customer has the acknowledgement. */
function withdrawals(order: Order, { premiums }: OrderMoney): TaskOf<"withdrawal">[] {
  const withdrawn = order.items.filter(({ withdrawal }) => withdrawal !== null);
  const declarations = Map.groupBy(withdrawn, ({ withdrawal }) => withdrawal?.at.getTime() ?? 0);
  return [...declarations.values()].flatMap((items) => {
    const [first] = items;
    if (!first?.withdrawal) return [];
    const { at, refundBy, isMailed } = first.withdrawal;
    const unchecked = items.filter(
      (item) =>
        item.withdrawal?.isUnchecked === true &&
        endReasonOf(order, item) === null &&
        standingOf(item) !== "ended",
    );
    const premiumMinor = sumOf(
      items.map((item) => {
        const premium = premiums.get(item);
        return premium ? premium.openMinor + premium.coveredMinor : 0;
      }),
    );
    if (premiumMinor === 0 && unchecked.length === 0 && isMailed) return [];
    const isWhole = order.items.every(
      (item) => endReasonOf(order, item) !== null || standingOf(item) === "ended",
    );
    const { currency } = first.sold;
    return {
      ...base,
      kind: "withdrawal",
      question: `withdrawal:${at.toISOString()}:${nameOf(first)}`,
      items,
      details: {
        plans: items.map(textOf),
        claimsUnknown: unchecked.map(textOf),
        premiumMinor,
        currency,
        isWhole,
        declaredAt: at.toISOString(),
        refundBy,
        isMailed,
      },
      atStakeMinor: premiumMinor,
      currency,
      dueOn: refundBy,
    };
  });
}

const textOf = ({ sold, contract }: Item) =>
  contractText({ planTitle: sold.planTitle, contractId: contract?.contractId ?? null });

/** Contracts whose product left the order, and no product of the order can take its place. */
function returned(order: Order): TaskOf<"product_returned">[] {
  if (order.cancelledAt !== null) return [];
  return conclude(order).returned.map(({ pairId, surplus, items }) => {
    const premiums = items.map((item) => premiumOf(order, item)).toSorted((a, b) => b - a);
    // Where it is not clear whose product went back: the most that may have to be paid back.
    const premiumMinor = sumOf(premiums.slice(0, surplus));
    const [first] = items;
    const currency = first?.sold.currency ?? "";
    return {
      ...base,
      kind: "product_returned",
      question: `product_returned:${pairId}`,
      items,
      details: {
        surplus,
        insuredTitle: first ? titleOf(first) : null,
        plans: items.map((item) => ({
          ...keyOf(item),
          planTitle: item.sold.planTitle,
          contractId: item.contract?.contractId ?? null,
          premiumMinor: premiumOf(order, item),
        })),
        premiumMinor,
        currency,
        replacement: items.map(({ obstacle }) => obstacle).find((obstacle) => obstacle !== null) ?? null,
      },
      atStakeMinor: premiumMinor,
      currency,
    };
  });
}

/** Money was paid back for nothing that left the order, and insurance goes on: a person knows whether it was meant. */
function paidBack(order: Order, { paidBack: pools }: OrderMoney): TaskOf<"paid_back">[] {
  if (order.cancelledAt !== null) return [];
  const insuring = order.items.filter(
    (item) => premiumOf(order, item) > 0 && endReasonOf(order, item) === null && standingOf(item) !== "ended",
  );
  const [first] = insuring;
  if (!first) return [];
  const { currency } = first.sold;
  const amounts = insuring.map((item) => premiumOf(order, item));
  const premiumMinor = sumOf(amounts);
  const isWhole = order.isPaidBack;
  // Less than the smallest premium was paid back for something else.
  const [pool] = [...pools].filter(
    ([of, minor]) => minor > 0 && (of !== currency || minor >= Math.min(...amounts)),
  );
  if (!isWhole && pool === undefined) return [];
  const [paidBackCurrency, paidBackMinor] = isWhole || !pool ? [currency, premiumMinor] : pool;
  return [
    {
      ...base,
      kind: "paid_back",
      question: isWhole ? "paid_back:whole" : "paid_back",
      items: insuring,
      details: {
        isWhole,
        paidBackMinor,
        paidBackCurrency,
        plans: [...new Set(insuring.map(({ sold }) => sold.planTitle))],
        premiumMinor,
        currency,
      },
      // A further amount is another question.
      atStakeMinor: paidBackMinor,
      currency,
    },
  ];
}

type OrderKind = "line_left_out" | "order_refused" | "surplus_contract" | "order_not_shown";

function ofOrder(order: Order): AnyOf<OrderKind>[] {
  const none = { ...base, atStakeMinor: 0 };
  const { leftOut, salesRecord } = order;
  const goesOn = order.items.some(
    (item) => ownEndReasonOf(order, item) === null && standingOf(item) !== "ended",
  );
  return [
    ...order.lines
      .filter(
        ({ kind, current, lineId }) =>
          kind === "unknown_plan" && current > 0 && !order.items.some((item) => item.lineId === lineId),
      )
      .map(({ lineId, title, current, paidMinor, currency }) => ({
        ...base,
        kind: "line_left_out" as const,
        question: `line_left_out:unknown_plan:${lineId}`,
        lineId,
        details: {
          why: "unknown_plan" as const,
          title,
          quantity: current,
          premiumMinor: current * paidMinor,
          currency,
        },
        atStakeMinor: current * paidMinor,
        currency,
      })),
    ...order.unreadable.map(({ lineId, title, problem }, index) => ({
      ...none,
      kind: "line_left_out" as const,
      question: `line_left_out:unreadable:${lineId ?? index}`,
      lineId,
      details: { why: "unreadable" as const, title, problem },
    })),
    ...(leftOut === null
      ? []
      : [
          {
            ...none,
            kind: "line_left_out" as const,
            question: "line_left_out:too_many",
            details: { why: "too_many" as const, leftOut: leftOut.count, limit: leftOut.limit },
          },
        ]),
    ...(salesRecord?.outcome === "refused"
      ? [
          {
            ...none,
            kind: "order_refused" as const,
            question: "order_refused",
            details: { insurerMessage: salesRecord.message ?? "" },
          },
        ]
      : []),
    ...order.strayContracts
      .filter(({ status }) => status !== "cancelled")
      .map(({ contractId, referenceId }) => ({
        ...none,
        kind: "surplus_contract" as const,
        question: `surplus_contract:${contractId}`,
        details: { contractId, offerReferenceId: referenceId },
      })),
    ...((order.notShownAt ?? order.deletedAt) !== null && order.cancelledAt === null && goesOn
      ? [{ ...none, kind: "order_not_shown" as const, question: "order_not_shown", details: {} }]
      : []),
  ];
}

/** What is left of premiums, whatever happened to their insurance: one for all items of a plan line. */
function openPremiums(
  order: Order,
  { premiums }: OrderMoney,
  asked: readonly OrderTask[],
): TaskOf<"premium_kept">[] {
  // A contract that is to be cancelled by hand is another question than its premium.
  const named = new Set(
    asked
      .filter(({ kind, atStakeMinor }) => kind !== "manual_cancellation" && atStakeMinor > 0)
      .flatMap(({ items }) => items.map(nameOf)),
  );
  const owed = order.items.filter(
    (item) => (premiums.get(item)?.openMinor ?? 0) > 0 && !named.has(nameOf(item)),
  );
  return [...Map.groupBy(owed, ({ lineId }) => lineId)].flatMap(([lineId, items]) => {
    const [first] = items;
    if (!first) return [];
    const { planTitle, currency } = first.sold;
    const premiumMinor = sumOf(items.map((item) => premiums.get(item)?.openMinor ?? 0));
    return {
      ...base,
      kind: "premium_kept",
      question: `premium_kept:${lineId}`,
      items,
      details: {
        planTitle,
        insuredTitle: titleOf(first),
        items: items.map(keyOf),
        plans: items.map(textOf),
        premiumMinor,
        currency,
      },
      atStakeMinor: premiumMinor,
      currency,
    };
  });
}

/** The row's key of a task: as its question, with the order. */
export const taskKey = (orderId: string, question: string): string => {
  const [kind = "", ...subject] = question.split(":");
  return [kind, orderId, ...subject].join(":");
};

/** The question of an order's task, by its row's key. */
export const questionOfKey = (key: string): string => {
  const [kind = "", , ...subject] = key.split(":");
  return [kind, ...subject].join(":");
};
