/**
 * A shop and an insurer in memory, which make the events of an order's book: random stories are played on them in the
 * order in which things happen, and arrive in any order, twice, or after a crash.
 */
import { conclude } from "#app/orders/book/conclude.ts";
import { type Item, type Order, readBook } from "#app/orders/book/evolve.ts";
import { type BookEvent, type ItemKey, keyOf, type KeptEvent } from "#app/orders/book/events.ts";
import { type OrderMoney, splitPremiums } from "#app/orders/book/money.ts";
import { nextContractStep } from "#app/orders/book/next-contract-step.ts";
import { type OrderTask, type OrderTaskKind, tasksOf } from "#app/orders/book/tasks.ts";
import { lookUpEvents } from "#app/issuing/look-up.ts";

const START = Date.parse("2026-11-01T10:00:00Z");

interface ShopLine {
  lineId: string;
  isPlan: boolean;
  priceMinor: number;
  ordered: number;
  current: number;
  refunded: number;
}

/** What the insurer answers to a request. */
export const answers = [
  "created",
  "refused",
  "not_done",
  /** no answer, and the contract was made */
  "lost",
  /** no answer, and nothing was made */
  "unclear",
  /** the process dies before the request is sent */
  "crash_before",
  /** the process dies after the contract was made */
  "crash_after",
] as const;
export type Answer = (typeof answers)[number];

/** What the insurer answers to a cancellation of the order. */
export const cancellations = ["done", "refused", "unclear"] as const;

export interface Bought {
  phones: number;
  plans: number;
  others: number;
  premiumMinor: number;
}

export class Story {
  readonly book: KeptEvent[] = [];
  /** what happened in the shop and is not delivered yet */
  undelivered: [key: string, event: BookEvent][] = [];
  now = START;
  readonly contracts: { id: string; item: ItemKey; isActive: boolean; listedAt: number }[] = [];
  readonly moved = { refundedMinor: 0 };
  answer: Answer = "created";
  cancellation: (typeof cancellations)[number] = "done";
  private readonly lines: ShopLine[];
  private refunds = 0;
  private isCancelled = false;

  constructor({ phones, plans, others, premiumMinor }: Bought) {
    this.lines = [
      { lineId: "1", isPlan: false, priceMinor: 57_900, ordered: phones, current: phones, refunded: 0 },
      { lineId: "2", isPlan: true, priceMinor: premiumMinor, ordered: plans, current: plans, refunded: 0 },
      { lineId: "3", isPlan: false, priceMinor: 2_500, ordered: others, current: others, refunded: 0 },
    ];
    this.append("placed", {
      type: "placed",
      name: "#1001",
      currency: "EUR",
      isTest: false,
      environment: "production",
      placedAt: this.date(),
      salesChannel: "online",
      paymentMethod: "credit_card",
      language: "fr",
    });
    for (const line of this.lines)
      this.append(`line ${line.lineId}`, {
        type: "line",
        lineId: line.lineId,
        kind: line.isPlan ? "plan" : "product",
        pairId: line.lineId === "2" ? "1" : line.lineId,
        productId: line.lineId,
        variantId: line.lineId,
        title: line.lineId,
        listPriceMinor: line.priceMinor,
        paidMinor: line.priceMinor,
        currency: "EUR",
        requiresShipping: !line.isPlan,
        isLater: false,
        categoryId: "Smartphone",
        isOffered: true,
        isSelected: true,
        offeredAt: null,
      });
    this.report();
    this.undelivered.push(["paid", { type: "paid", asOf: this.date(), paymentMethod: "credit_card" }]);
    this.deliver({ isReversed: false, isTwice: false });
    for (let number = 1; number <= plans; number += 1)
      this.append(`sold 2 ${number}`, {
        type: "sold",
        item: { lineId: "2", number },
        referenceId: "SMA-24",
        planVariantId: "2",
        planTitle: "Plan",
        termMonths: 24,
        offerPriceMinor: premiumMinor,
        premiumMinor,
        currency: "EUR",
        insured: { lineId: "1", variantId: "1", title: "Phone", priceMinor: 57_900, currency: "EUR" },
        touchpoint: null,
        consent: null,
        conditionsUrl: null,
        ipidUrl: null,
        finding: number > phones ? "more_plans_than_products" : null,
        replaces: null,
      });
  }

  private date = () => new Date(this.now);

  /** A key that is there already adds nothing. */
  append(key: string, event: BookEvent): void {
    if (this.book.some((kept) => kept.key === key)) return;
    this.book.push({ ...event, key, at: this.date() });
    for (const conclusion of conclude(readBook(this.book)).conclusions)
      this.append(keyOf(conclusion, this.book.length), conclusion);
  }

  pass(seconds: number): void {
    this.now += seconds * 1_000;
  }

  // The shop

  private report(): void {
    for (const { lineId, ordered, current, refunded } of this.lines)
      this.undelivered.push([
        `quantity ${lineId} ${this.now} ${current} ${refunded}`,
        { type: "quantity", lineId, ordered, current, refunded, fulfilled: 0, asOf: this.date() },
      ]);
  }

  refund(wanted: readonly number[], money: "all" | "products" | "none" | "pending" | "failed"): void {
    this.pass(1);
    const lines = this.lines.flatMap((line, index) => {
      const quantity = Math.min(line.current, wanted[index] ?? 0);
      line.current -= quantity;
      line.refunded += quantity;
      return quantity === 0
        ? []
        : [{ lineId: line.lineId, quantity, amountMinor: quantity * line.priceMinor, isPlan: line.isPlan }];
    });
    const paidMinor = lines
      .filter(({ isPlan }) => money !== "none" && !(money === "products" && isPlan))
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    this.addRefund(
      lines.map(({ lineId, quantity, amountMinor }) => ({ lineId, quantity, amountMinor })),
      paidMinor,
      money === "pending" || money === "failed" ? money : "settled",
    );
    this.report();
  }

  payBack(moneyMinor: number): void {
    this.pass(1);
    this.addRefund([], moneyMinor, "settled");
  }

  private addRefund(
    lines: { lineId: string; quantity: number; amountMinor: number }[],
    moneyMinor: number,
    status: "pending" | "settled" | "failed",
  ): void {
    const refundId = String((this.refunds += 1));
    if (status === "settled") this.moved.refundedMinor += moneyMinor;
    const refund = { type: "refund", refundId, lines, moneyMinor, currency: "EUR" } as const;
    this.undelivered.push([`refund ${refundId} ${status}`, { ...refund, status, asOf: this.date() }]);
    if (status !== "pending") return;
    this.pass(1);
    this.moved.refundedMinor += moneyMinor;
    this.undelivered.push([
      `refund ${refundId} settled`,
      { ...refund, status: "settled", asOf: this.date() },
    ]);
  }

  edit(index: number, quantity: number): void {
    this.pass(1);
    const line = this.lines[index];
    if (line === undefined) return;
    line.current = Math.min(line.current, quantity);
    this.report();
  }

  cancel(): void {
    this.pass(1);
    if (this.isCancelled) return;
    this.isCancelled = true;
    this.undelivered.push(["cancelled", { type: "cancelled", asOf: this.date() }]);
  }

  deliver({ isReversed, isTwice }: { isReversed: boolean; isTwice: boolean }): void {
    const batch = isReversed ? this.undelivered.toReversed() : this.undelivered;
    this.undelivered = [];
    for (const [key, event] of isTwice ? [...batch, ...batch] : batch) this.append(key, event);
  }

  // The customer and staff

  withdraw(mayHaveClaim: boolean): void {
    const items = this.order().items.map(({ lineId, number }) => ({ lineId, number }));
    if (items.length === 0) return;
    this.append(`withdrew ${this.now}`, {
      type: "withdrew",
      items,
      unchecked: mayHaveClaim ? items : [],
      refundBy: "2026-12-31",
      isMailed: true,
    });
  }

  decide(index: number, answer: number): void {
    const task = this.tasks()[index];
    if (task === undefined) return;
    const isUnchecked = task.kind === "withdrawal" && task.details.claimsUnknown.length > 0;
    const answers = isUnchecked ? (["keep_insurance", "end"] as const) : answersTo[task.kind];
    const chosen = answers[answer % answers.length];
    if (chosen === undefined) return;
    this.pass(1);
    this.append(`decided ${this.now}`, {
      type: "decided",
      question: task.question,
      items: task.items.map(({ lineId, number }) => ({ lineId, number })),
      answer: chosen,
      amountMinor: task.atStakeMinor,
      by: "1",
    });
    if (task.kind !== "manual_cancellation") return;
    // The person does it at the insurer, and the comparison sees it.
    for (const item of task.items) {
      const contract = this.contracts.find(({ id }) => id === item.contract?.contractId);
      if (!contract) continue;
      contract.isActive = false;
      this.show(item, contract.id, false);
    }
  }

  // The insurer

  /** Does what is to be done until nothing is, or a process dies. */
  work(limit = 60): void {
    for (let steps = 0; steps < limit; steps += 1) {
      const step = nextContractStep(this.order(), this.situation());
      switch (step.do) {
        case "nothing":
          return;
        case "wait":
          this.now = Math.max(this.now + 1, step.until.getTime());
          break;
        case "look_up":
          this.lookUp();
          break;
        case "doubt":
          this.append(`doubted ${this.now}`, {
            type: "doubted",
            items: step.items.map(({ lineId, number }) => ({ lineId, number })),
            why: step.why,
          });
          this.pass(1);
          break;
        case "hand_over": {
          const { lineId, number } = step.item;
          const item = { lineId, number };
          this.append(`handed over ${lineId} ${number} ${this.now}`, {
            type: "handed_over",
            item,
            message: "",
          });
          break;
        }
        case "record":
          this.append(`recorded ${this.now}`, { type: "sales_record", outcome: "recorded", message: null });
          break;
        case "request":
          if (!this.request(step.item, step.attempt)) return;
          break;
        case "cancel":
          this.cancelAll(step.attempt);
          break;
      }
    }
    throw new Error("The steps of an order do not end");
  }

  private request({ lineId, number }: Item, attempt: number): boolean {
    const item = { lineId, number };
    this.pass(1);
    this.append(`requested ${lineId} ${number} ${attempt}`, { type: "requested", item, attempt });
    const { answer } = this;
    this.answer = "created";
    const makes = ["created", "lost", "crash_after"].includes(answer);
    const id = `c${this.contracts.length + 1}`;
    if (makes)
      this.contracts.push({
        id,
        item,
        isActive: true,
        listedAt: this.now + (answer === "created" ? 0 : 8_000),
      });
    if (answer === "crash_before" || answer === "crash_after") return false;
    const outcome = answer === "lost" ? "unclear" : answer;
    this.append(`answered ${lineId} ${number} ${attempt}`, {
      type: "answered",
      item,
      attempt,
      outcome,
      contractId: outcome === "created" ? id : null,
      message: null,
    });
    if (outcome === "created") this.show(item, id, true);
    return true;
  }

  private show({ lineId, number }: ItemKey, contractId: string, isActive: boolean): void {
    this.append(`contract ${contractId} ${isActive}`, {
      type: "contract",
      contractId,
      item: { lineId, number },
      status: isActive ? "active" : "cancelled",
      statusText: isActive ? "active" : "cancelled",
      referenceId: "SMA-24",
      activatesOn: null,
      expiresOn: null,
    });
  }

  private lookUp(): void {
    const plans = this.contracts
      .filter(({ listedAt }) => listedAt <= this.now)
      .map(({ id, isActive }) => plan(id, isActive));
    const found = lookUpEvents(this.order(), { plans, now: this.date(), conclusiveAfterS: CONCLUSIVE_S });
    for (const event of found) this.append(`${keyOf(event, this.book.length)} ${this.now}`, event);
    this.pass(1);
  }

  private cancelAll(attempt: number): void {
    this.append(`cancelling ${attempt}`, { type: "cancellation_requested", attempt });
    const outcome = this.cancellation;
    // An insurer that refuses does so again; an answer is lost once.
    if (outcome === "unclear") this.cancellation = "done";
    this.append(`cancelled ${attempt}`, {
      type: "cancellation_answered",
      attempt,
      outcome: outcome === "unclear" ? "not_done" : outcome,
      message: null,
    });
    if (outcome !== "done") return;
    for (const contract of this.contracts) {
      if (!contract.isActive) continue;
      contract.isActive = false;
      this.show(contract.item, contract.id, false);
    }
  }

  // The book

  order = (): Order => readBook(this.book);

  /** How many items of each line are in the shop's order. */
  currentInShop = () => new Map(this.lines.map(({ lineId, current }) => [lineId, current]));

  money = (): OrderMoney => splitPremiums(this.order(), this.date());

  tasks = (): OrderTask[] => tasksOf(this.order(), this.date());

  situation = () => ({ now: this.date(), restoredAt: null, conclusiveAfterS: CONCLUSIVE_S });
}

/** Seconds after which the insurer's list is conclusive. */
const CONCLUSIVE_S = 600;

const plan = (id: string, isActive: boolean) => ({
  id,
  status: isActive ? "active" : "cancelled",
  offerReferenceId: "SMA-24",
});

/** What a person may answer to each kind of task. */
const answersTo = {
  check_plan: ["issue", "end"],
  customer_data: ["end"],
  customer_erased: ["end"],
  plan_refused: ["issue", "end"],
  contract_unclear: ["issue", "end"],
  cancelled_elsewhere: ["premium_refunded", "premium_kept"],
  product_returned: ["keep_insurance"],
  withdrawal: ["premium_refunded"],
  manual_cancellation: ["dismissed"],
  premium_kept: ["premium_refunded", "premium_kept"],
  paid_back: ["keep_insurance", "end"],
  surplus_contract: ["done"],
  line_left_out: ["done"],
  order_refused: ["dismissed"],
  order_not_shown: ["done"],
  contract_doubtful: ["done"],
} as const satisfies Record<OrderTaskKind, readonly BookEventAnswer[]>;
type BookEventAnswer = Extract<BookEvent, { type: "decided" }>["answer"];
