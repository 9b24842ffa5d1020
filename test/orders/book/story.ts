/**
 * A shop and an insurer in memory, which make the events of an order's book: random stories are played on them in the
 * order in which things happen, and arrive in any order, twice, or after a crash.
 */
import { conclude, hasLostProducts, type LaterLine, laterLines } from "#app/orders/book/conclude.ts";
import { type Item, type Order, readBook } from "#app/orders/book/evolve.ts";
import { type BookEvent, type ItemKey, keyOf, type KeptEvent } from "#app/orders/book/events.ts";
import type { Replacement } from "#app/orders/book/exchanges.ts";
import { type OrderMoney, splitPremiums } from "#app/orders/book/money.ts";
import { nextContractStep } from "#app/orders/book/next-contract-step.ts";
import { mayBeAsked, surplusContracts, surplusQuotes } from "#app/orders/book/quote-rules.ts";
import { mayBeSold } from "#app/orders/book/quotes.ts";
import { type OrderTask, type OrderTaskKind, tasksOf } from "#app/orders/book/tasks.ts";
import { lookUpEvents } from "#app/issuing/look-up.ts";
import { planned, soldBy } from "#test/quotes/told-quote.ts";

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
export const cancellations = ["done", "accepted", "refused", "unclear"] as const;

/** What comes for a product that leaves the order. */
export const exchanges = [
  /** the product that was bought */
  "same",
  /** another one, whose insurance has the same price */
  "fits",
  /** its insurance costs more */
  "dearer",
  /** no insurance of that kind is for it */
  "other_kind",
] as const;
export type Exchange = (typeof exchanges)[number];

/** What the insurer answers to the request of a quote. */
export const quoteAnswers = ["made", "no_offer", "refused", "not_done", "unclear"] as const;

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
  readonly contracts: {
    id: string;
    item: ItemKey;
    referenceId: string;
    isActive: boolean;
    listedAt: number;
  }[] = [];
  readonly moved = { refundedMinor: 0 };
  answer: Answer = "created";
  cancellation: (typeof cancellations)[number] = "done";
  quoteAnswer: (typeof quoteAnswers)[number] = "made";
  private readonly lines: ShopLine[];
  private readonly exchanged = new Map<string, Exchange>();
  private folded: { length: number; order: Order } | null = null;
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
    for (const line of this.lines) this.append(`line ${line.lineId}`, lineEvent(line));
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
        termsSha256: null,
        finding: number > phones ? "more_plans_than_products" : null,
        replaces: null,
      });
  }

  private date = () => new Date(this.now);

  /** A key that is there already adds nothing. */
  append(key: string, event: BookEvent): void {
    if (this.book.some((kept) => kept.key === key)) return;
    this.book.push({ ...event, key, at: this.date() });
    const order = this.order();
    const later = laterLines(order);
    const replacements =
      later.length > 0 && hasLostProducts(order) ? later.map((line) => this.asReplacement(line)) : [];
    for (const conclusion of conclude(order, replacements).conclusions)
      this.append(keyOf(conclusion, this.book.length), conclusion);
  }

  private asReplacement({
    lineId,
    title,
    variantId,
    listPriceMinor,
    currency,
    free,
  }: LaterLine): Replacement {
    const exchange = this.exchanged.get(lineId);
    const { items, quotes } = this.order();
    const quoted = quotes.filter((quote) => quote.lineId === lineId && mayBeSold(quote)).length;
    const offers = items.map(({ sold: { referenceId, offerPriceMinor } }) => ({
      soldReferenceId: referenceId,
      fitting: [
        exchange === "dearer"
          ? { referenceId: `dearer ${referenceId}`, priceMinor: offerPriceMinor + 2_000 }
          : { referenceId, priceMinor: offerPriceMinor },
      ],
    }));
    return {
      lineId,
      title,
      variantId,
      priceMinor: listPriceMinor,
      currency,
      free: free - quoted,
      offers: exchange === "other_kind" ? [] : offers,
    };
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

  /** A product leaves the order, and another one comes. */
  exchange(what: Exchange): void {
    const phones = this.lines.find(({ isPlan, current }) => !isPlan && current > 0);
    if (phones === undefined) return;
    this.pass(1);
    phones.current -= 1;
    const lineId = String(this.lines.length + 1);
    const priceMinor = what === "same" ? phones.priceMinor : 60_000;
    const line = { lineId, isPlan: false, priceMinor, ordered: 1, current: 1, refunded: 0 };
    this.lines.push(line);
    this.exchanged.set(lineId, what);
    const variantId = what === "same" ? phones.lineId : lineId;
    this.undelivered.push([
      `line ${lineId}`,
      { ...lineEvent(line), variantId, isLater: true, isSelected: false, isOffered: false },
    ]);
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
      this.show(item, contract.id, false, contract.referenceId);
    }
  }

  /** Staff have an item without insurance quoted. */
  quote(index: number): void {
    const { lines, quotes } = this.order();
    const products = lines.filter(({ kind }) => kind === "product");
    const line = products[index % products.length];
    if (line === undefined) return;
    const number = quotes.filter(({ lineId }) => lineId === line.lineId).length + 1;
    const quote = { lineId: line.lineId, number };
    this.append(`quote planned ${line.lineId} ${number} ${this.now}`, planned(quote));
  }

  /** A customer takes a contract from their quote, at the insurer's own page: also from one that was revoked. */
  buyByQuote(index: number): void {
    const made = this.order().quotes.filter(({ quoteId, contract }) => quoteId !== null && contract === null);
    const quote = made[index % made.length];
    if (quote === undefined) return;
    const { lineId, number } = quote;
    this.append(
      `quote sold ${lineId} ${number}`,
      soldBy({ lineId, number }, "active", `q${lineId}-${number}`),
    );
  }

  // The insurer

  /** Does what is to be done until nothing is, or a process dies. */
  work(limit = 60): void {
    for (let steps = 0; steps < limit; steps += 1) {
      const step = nextContractStep(this.order(), this.situation());
      switch (step.do) {
        case "nothing":
          if (this.workQuote()) break;
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
        case "look_up_cancelled":
          this.pass(1);
          for (const { contract } of step.items) {
            const shown = this.contracts.find(({ id }) => id === contract?.contractId);
            if (shown) this.show(shown.item, shown.id, shown.isActive, shown.referenceId);
          }
          break;
      }
    }
    throw new Error("The steps of an order do not end");
  }

  private request({ lineId, number, sold }: Item, attempt: number): boolean {
    const item = { lineId, number };
    this.pass(1);
    this.append(`requested ${lineId} ${number} ${attempt}`, { type: "requested", item, attempt });
    const { answer } = this;
    const { referenceId } = sold;
    this.answer = "created";
    const makes = ["created", "lost", "crash_after"].includes(answer);
    const id = `c${this.contracts.length + 1}`;
    if (makes)
      this.contracts.push({
        id,
        item,
        referenceId,
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
      activatesOn: null,
      expiresOn: null,
      message: null,
    });
    if (outcome === "created") this.show(item, id, true, referenceId);
    return true;
  }

  private show(
    { lineId, number }: ItemKey,
    contractId: string,
    isActive: boolean,
    referenceId: string,
  ): void {
    this.append(`contract ${contractId} ${isActive}`, {
      type: "contract",
      contractId,
      item: { lineId, number },
      status: isActive ? "active" : "cancelled",
      statusText: isActive ? "active" : "cancelled",
      referenceId,
      activatesOn: null,
      expiresOn: null,
    });
  }

  /** @returns whether there was anything to do */
  private workQuote(): boolean {
    const order = this.order();
    const today = this.date().toISOString().slice(0, 10);
    const surplus = surplusQuotes(order, today).find(({ quote }) => ["due", "open"].includes(quote.state));
    if (surplus) {
      const { lineId, number } = surplus.quote;
      this.append(`quote revoked ${this.book.length}`, {
        type: "quotes_revoked",
        quotes: [{ lineId, number }],
        reason: surplus.reason,
      });
      return true;
    }
    const events = surplusContracts(order, today);
    for (const event of events) this.append(keyOf(event, this.book.length), event);
    if (events.length > 0) return true;
    const due = order.quotes.find((quote) => mayBeAsked(order, quote, today));
    if (due === undefined) return false;
    const { lineId, number } = due;
    const quote = { lineId, number };
    const attempt = due.attempt + 1;
    this.append(`quote asked ${this.book.length}`, { type: "quote_asked", quote, attempt });
    const outcome = this.quoteAnswer;
    this.quoteAnswer = "made";
    this.append(`quote answered ${this.book.length}`, {
      type: "quote_answered",
      quote,
      attempt,
      outcome,
      quoteId: outcome === "made" || outcome === "no_offer" ? `quote ${lineId} ${number}` : null,
      expiresOn: outcome === "made" || outcome === "no_offer" ? "2099-12-31" : null,
    });
    return true;
  }

  /** The comparison finds the first contract in another state. @param word `active`, or any other */
  showAs(word: string): void {
    const [contract] = this.contracts;
    const [item] = this.order().items;
    if (contract === undefined || item?.contract == null) return;
    this.append(`contract shown ${this.book.length}`, {
      ...item.contract,
      type: "contract",
      item: contract.item,
      status: word === "active" ? "active" : "other",
      statusText: word,
    });
  }

  private lookUp(): void {
    const plans = this.contracts
      .filter(({ listedAt }) => listedAt <= this.now)
      .map(({ id, isActive, referenceId }) => ({
        id,
        status: isActive ? "active" : "cancelled",
        standing: isActive ? ("active" as const) : ("cancelled" as const),
        offerReferenceId: referenceId,
      }));
    const found = lookUpEvents(this.order(), {
      plans,
      problem: null,
      now: this.date(),
      conclusiveAfterS: CONCLUSIVE_S,
    });
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
      outcome: outcome === "unclear" ? "not_done" : outcome === "accepted" ? "done" : outcome,
      message: null,
    });
    if (outcome !== "done" && outcome !== "accepted") return;
    for (const contract of this.contracts) {
      if (!contract.isActive) continue;
      contract.isActive = false;
      // An answer that does not call the order cancelled shows nothing: its contracts are looked at.
      if (outcome === "done") this.show(contract.item, contract.id, false, contract.referenceId);
    }
  }

  // The book

  order(): Order {
    if (this.folded?.length !== this.book.length)
      this.folded = { length: this.book.length, order: readBook(this.book) };
    return this.folded.order;
  }

  /** How many items of each line are in the shop's order. */
  currentInShop = () => new Map(this.lines.map(({ lineId, current }) => [lineId, current]));

  money = (): OrderMoney => splitPremiums(this.order(), this.date());

  tasks = (): OrderTask[] => tasksOf(this.order(), this.date());

  situation = () => ({ now: this.date(), restoredAt: null, conclusiveAfterS: CONCLUSIVE_S });
}

/** Seconds after which the insurer's list is conclusive. */
const CONCLUSIVE_S = 600;

function lineEvent({ lineId, isPlan, priceMinor }: ShopLine): BookEvent & { type: "line" } {
  return {
    type: "line",
    lineId,
    kind: isPlan ? "plan" : "product",
    pairId: lineId === "2" ? "1" : lineId,
    productId: lineId,
    variantId: lineId,
    title: lineId,
    listPriceMinor: priceMinor,
    paidMinor: priceMinor,
    currency: "EUR",
    requiresShipping: !isPlan,
    isLater: false,
    categoryId: "Smartphone",
    isOffered: true,
    isSelected: true,
    offeredAt: null,
    productFormat: null,
  };
}

/** What a person may answer to each kind of task. */
const answersTo = {
  check_plan: ["issue", "end"],
  customer_data: ["end"],
  customer_erased: ["end"],
  plan_refused: ["issue", "end"],
  contract_unclear: ["issue", "end"],
  look_up_failed: ["issue", "end"],
  cancelled_elsewhere: ["premium_refunded", "premium_kept"],
  product_returned: ["keep_insurance", "move_insurance"],
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
