/** What reports of Shopify add to a book: the cases of refunds, edits and bundles, in any order of arrival. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { conclude } from "#app/orders/book/conclude.ts";
import { type BookEvent, keyOf, type KeptEvent } from "#app/orders/book/events.ts";
import { readBook } from "#app/orders/book/evolve.ts";
import { splitPremiums } from "#app/orders/book/money.ts";
import { eventsOfReport } from "#app/orders/book/report.ts";
import { checkOrder } from "#app/orders/book/sale-check.ts";
import { tasksOf } from "#app/orders/book/tasks.ts";
import type { ShopOrder, ShopRefund } from "#app/shopify/order.ts";
import { catalogue, line, plan, product, shopOrder } from "#test/orders/samples.ts";

const START = Date.parse("2026-11-20T10:00:01Z");
const at = (seconds: number) => new Date(START + seconds * 1_000);

/** A book that is told of an order by reports, as the store appends them. */
class Reported {
  events: KeptEvent[] = [];
  private newest = new Date(0);
  private now = START;

  append(events: readonly BookEvent[]): void {
    this.now += 1;
    for (const event of events) {
      const key = keyOf(event, this.events.length);
      if (!this.events.some((each) => each.key === key))
        this.events.push({ ...event, key, at: new Date(this.now) });
    }
  }

  report(report: ShopOrder): this {
    const { updatedAt: changedAt } = report;
    const isNewest = changedAt >= this.newest;
    if (isNewest) this.newest = changedAt;
    const context = {
      environment: "production",
      origin: "delivered",
      isNewest,
      changedAt,
      terms: new Map(),
    } as const;
    this.append(eventsOfReport(this.order, report, checkOrder(report, catalogue), context));
    for (let count = -1; count !== this.events.length;) {
      count = this.events.length;
      this.append(conclude(this.order).conclusions);
    }
    return this;
  }

  get order() {
    return readBook(this.events);
  }

  /** Every item gets its contract. */
  issue(): this {
    for (const { lineId, number, attempts } of this.order.items) {
      const item = { lineId, number };
      const contractId = `C-${lineId}-${number}`;
      this.append([
        { type: "requested", item, attempt: attempts + 1 },
        {
          type: "answered",
          item,
          attempt: attempts + 1,
          outcome: "created",
          contractId,
          activatesOn: null,
          expiresOn: null,
          message: null,
        },
        {
          type: "contract",
          contractId,
          item,
          status: "active",
          statusText: "active",
          referenceId: "SMA-24-04",
          activatesOn: null,
          expiresOn: null,
        },
      ]);
    }
    return this;
  }

  tasks = () => tasksOf(this.order, at(60)).map(({ kind, atStakeMinor }) => [kind, atStakeMinor]);
  premiums = () => this.order.items.map(({ sold }) => sold.premiumMinor);
  split = () =>
    [...splitPremiums(this.order, at(60)).premiums.values()].map((premium): Record<string, number> => {
      const parts = Object.entries<number>({ ...premium });
      return Object.fromEntries(parts.filter(([, minor]) => minor > 0));
    });
}

const refund = (changes: Partial<ShopRefund>): ShopRefund => ({
  id: "1",
  at: at(5),
  lines: [],
  moneyMinor: 0,
  currency: "EUR",
  status: "settled",
  ...changes,
});

const phone = (changes: Parameters<typeof product>[3] = {}) => product("1", 34_900, "p", changes);
const case_ = line("3", 2_500, { variantId: "8100", productId: "810", title: "Étui" });
const bought = () => shopOrder([phone(), plan("2", "p"), case_]);
const insured = () => new Reported().report(bought()).issue();

describe("A refund", () => {
  it("that pays back another item and, in its amount, a premium too is a question about the premium", () => {
    const book = insured().report(
      shopOrder([phone(), plan("2", "p"), { ...case_, currentQuantity: 0 }], {
        updatedAt: at(5),
        refunds: [
          refund({ lines: [{ lineId: "3", quantity: 1, amountMinor: 2_500 }], moneyMinor: 2_500 + 4_990 }),
        ],
      }),
    );
    expect(book.tasks()).toEqual([["paid_back", 4_990]]);
    expect(book.split()).toEqual([{ coveredMinor: 4_990 }]);
  });

  it("counts once it is settled: pending it is under way, failed the premium is open", () => {
    const withRefund = (status: ShopRefund["status"]) =>
      shopOrder([phone({ currentQuantity: 0 }), plan("2", "p", { currentQuantity: 0 }), case_], {
        updatedAt: at(5),
        refunds: [
          refund({
            status,
            moneyMinor: status === "failed" ? 0 : 39_890,
            lines: [
              { lineId: "1", quantity: 1, amountMinor: 34_900 },
              { lineId: "2", quantity: 1, amountMinor: 4_990 },
            ],
          }),
        ],
      });
    const book = insured().report(withRefund("pending"));
    expect(book.split()).toEqual([{ underWayMinor: 4_990 }]);
    const failed = insured().report(withRefund("pending")).report(withRefund("failed"));
    expect(failed.split()).toEqual([{ openMinor: 4_990 }]);
    expect(failed.tasks()).toContainEqual(["premium_kept", 4_990]);
    // The comparison reads the order again, with the same time of change.
    expect(book.report(withRefund("settled")).split()).toEqual([{ refundedMinor: 4_990 }]);
    expect(book.tasks()).toEqual([]);
  });

  it("of the plan alone, without money, leaves its premium open", () => {
    const book = insured().report(
      shopOrder([phone(), plan("2", "p", { currentQuantity: 0 }), case_], {
        updatedAt: at(5),
        refunds: [refund({ lines: [{ lineId: "2", quantity: 1, amountMinor: 4_990 }] })],
      }),
    );
    expect(book.split()).toEqual([{ openMinor: 4_990 }]);
  });

  it("in another currency pays back no premium of the shop's", () => {
    const book = insured().report(
      shopOrder([phone(), plan("2", "p", { currentQuantity: 0 }), case_], {
        updatedAt: at(5),
        refunds: [refund({ moneyMinor: 500_000, currency: "JPY" })],
      }),
    );
    expect(book.split()).toEqual([{ openMinor: 4_990 }]);
  });
});

describe("An edit", () => {
  it("that takes the plan out of a paid order without a refund leaves its premium open", () => {
    const book = insured().report(
      shopOrder([phone(), plan("2", "p", { currentQuantity: 0 }), case_], { updatedAt: at(5) }),
    );
    expect(book.split()).toEqual([{ openMinor: 4_990 }]);
    expect(book.tasks()).toContainEqual(["premium_kept", 4_990]);
  });

  it("that makes a discounted plan line longer keeps what was paid: the premiums add up to the line's price", () => {
    const discounted = (quantity: number) =>
      plan("2", "p", {
        quantity,
        amounts: [{ currency: "EUR", unitPriceMinor: 4_990, discountsMinor: 1_000 }],
      });
    const book = new Reported()
      .report(shopOrder([phone(), discounted(1)]))
      .report(shopOrder([phone({ quantity: 2 }), discounted(2)], { updatedAt: at(5) }));
    expect(book.premiums()).toEqual([3_990, 4_990]);
  });

  it("that adds a plan which is not paid for yet insures it once it is", () => {
    const longer = { updatedAt: at(5), paid: false };
    const both = [phone({ quantity: 2 }), plan("2", "p", { quantity: 2 })];
    const book = insured().report(shopOrder(both, longer));
    expect(book.order.items).toHaveLength(1);
    expect(book.report(shopOrder(both, { updatedAt: at(6) })).order.items).toHaveLength(2);
  });
});

describe("A report", () => {
  it("that says nothing new adds no event", () => {
    const book = insured();
    const { length } = book.events;
    expect(book.report(bought()).events).toHaveLength(length);
  });

  it("leads to the same money in whatever order reports arrive, and however often", () => {
    const step = fc.record({ line: fc.constantFrom(0, 1), isPaidBack: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 4 }),
        fc.array(fc.nat(4), { maxLength: 8 }),
        (steps, arrivals) => {
          const quantities = [2, 2];
          const refunds: ShopRefund[] = [];
          const stateOf = (seconds: number) =>
            shopOrder(
              [
                phone({ quantity: 2, currentQuantity: quantities[0] ?? 0 }),
                plan("2", "p", { quantity: 2, currentQuantity: quantities[1] ?? 0 }),
              ],
              { updatedAt: at(seconds), refunds: [...refunds] },
            );
          const states = [stateOf(0)];
          for (const [index, { line: which, isPaidBack }] of steps.entries()) {
            if ((quantities[which] ?? 0) === 0) continue;
            quantities[which] = (quantities[which] ?? 0) - 1;
            const amountMinor = which === 0 ? 34_900 : 4_990;
            if (isPaidBack)
              refunds.push(
                refund({
                  id: String(index + 1),
                  at: at(index + 1),
                  moneyMinor: amountMinor,
                  lines: [{ lineId: which === 0 ? "1" : "2", quantity: 1, amountMinor }],
                }),
              );
            states.push(stateOf(index + 1));
          }
          const [first, ...later] = states;
          if (!first) return;
          const inOrder = new Reported().report(first).issue();
          const last = later.at(-1);
          if (last) inOrder.report(last);
          const mixed = new Reported().report(first).issue();
          for (const index of arrivals) mixed.report(states[index % states.length] ?? first);
          if (last) mixed.report(last);
          const sums = (book: Reported) => {
            const total: Record<string, number> = {};
            for (const premium of book.split())
              for (const [part, minor] of Object.entries(premium)) total[part] = (total[part] ?? 0) + minor;
            return total;
          };
          expect(sums(mixed)).toEqual(sums(inOrder));
          const currentOf = ({ order }: Reported) =>
            order.lines.map(({ lineId, current }) => [lineId, current]);
          expect(currentOf(mixed)).toEqual(currentOf(inOrder));
        },
      ),
      { numRuns: 500 },
    );
  });
});
