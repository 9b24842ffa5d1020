/**
 * A shop and an insurer in memory, which make the events of an order's book: random stories are played on them in the
 * order in which things happen, and arrive in any order, twice, or after a crash.
 */
import { conclude } from "#app/orders/book/conclude.ts";
import { type Item, type Order, readBook } from "#app/orders/book/evolve.ts";
import type { BookEvent, ItemKey, KeptEvent } from "#app/orders/book/events.ts";
import { type OrderMoney, splitPremiums } from "#app/orders/book/money.ts";
import { isConclusive, nextContractStep } from "#app/orders/book/next-contract-step.ts";
import { type Question, questionsOf } from "#app/orders/book/questions.ts";

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
      });
    this.report();
    this.undelivered.push(["paid", { type: "paid", asOf: this.date() }]);
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
        finding: number > phones ? "more_plans_than_products" : null,
        replaces: null,
      });
  }

  private date = () => new Date(this.now);

  /** A key that is there already adds nothing. */
  append(key: string, event: BookEvent): void {
    if (this.book.some((kept) => kept.key === key)) return;
    this.book.push({ ...event, key, at: this.date() });
    for (const conclusion of conclude(readBook(this.book)).conclusions) {
      const { lineId, number } = conclusion.item;
      this.append(`${conclusion.type} ${lineId} ${number} ${this.book.length}`, conclusion);
    }
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
    if (items.length > 0) this.append(`withdrew ${this.now}`, { type: "withdrew", items, mayHaveClaim });
  }

  decide(index: number, answer: number): void {
    const question = this.questions()[index];
    if (question === undefined) return;
    const possible = {
      check: ["issue", "end"],
      details: ["end"],
      refused: ["issue", "end"],
      unclear: ["end"],
      cancelled_elsewhere: ["premium_refunded", "premium_kept"],
      returned: ["keep_insurance", "end_insurance"],
      claim: ["keep_insurance", "end_insurance"],
      cancel_by_hand: ["seen"],
      premium: ["premium_refunded", "premium_kept"],
      paid_back: ["keep_insurance"],
      stray_contract: ["seen"],
      unknown_plan: ["seen"],
      sales_record: ["seen"],
      deleted: ["seen"],
    } as const satisfies Record<Question["kind"], readonly string[]>;
    const answers = possible[question.kind];
    const chosen = answers[answer % answers.length];
    if (chosen === undefined) return;
    this.pass(1);
    const name =
      question.subject === null || question.items.length > 0
        ? question.kind
        : `${question.kind} ${question.subject}`;
    this.append(`decided ${this.now}`, {
      type: "decided",
      question: name,
      items: question.items,
      answer: chosen,
      amountMinor: question.amountMinor,
      by: "1",
    });
    if (question.kind !== "cancel_by_hand") return;
    // The person does it at the insurer, and the comparison sees it.
    const item = this.order().items.find(({ lineId, number }) =>
      question.items.some((key) => key.lineId === lineId && key.number === number),
    );
    const contract = this.contracts.find(({ id }) => id === item?.contract?.contractId);
    if (item && contract) {
      contract.isActive = false;
      this.show(item, contract.id, false);
    }
  }

  // The insurer

  /** Does what is to be done until nothing is, or a process dies. */
  work(limit = 60): void {
    for (let steps = 0; steps < limit; steps += 1) {
      const step = nextContractStep(this.order(), this.date());
      switch (step.do) {
        case "nothing":
          return;
        case "wait":
          this.now = Math.max(this.now + 1, step.until.getTime());
          break;
        case "look_up":
          for (const item of step.items) this.lookUp(item);
          break;
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
      activatesOn: null,
      expiresOn: null,
    });
  }

  private lookUp({ lineId, number, request }: Item): void {
    const known = new Set(this.order().items.flatMap(({ contract }) => contract?.contractId ?? []));
    const found = this.contracts.find(
      ({ id, item, listedAt }) =>
        !known.has(id) && item.lineId === lineId && item.number === number && listedAt <= this.now,
    );
    const item = { lineId, number };
    const conclusive = request !== null && isConclusive(request.sentAt, this.date());
    this.append(`looked up ${lineId} ${number} ${this.now}`, {
      type: "looked_up",
      item,
      contractId: found?.id ?? null,
      isConclusive: conclusive,
    });
    if (found) this.show(item, found.id, true);
    else this.pass(1);
  }

  private cancelAll(attempt: number): void {
    this.append(`cancelling ${attempt}`, { type: "cancellation_requested", attempt });
    const outcome = this.cancellation;
    // An insurer that refuses does so again; an answer is lost once.
    if (outcome === "unclear") this.cancellation = "done";
    this.append(`cancelled ${attempt}`, { type: "cancellation_answered", attempt, outcome, message: null });
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

  questions(): Question[] {
    const order = this.order();
    return questionsOf(order, splitPremiums(order, this.date()), conclude(order).returned);
  }
}
