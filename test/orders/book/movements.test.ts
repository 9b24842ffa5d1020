import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KeptEvent } from "#app/orders/book/events.ts";
import { readBook } from "#app/orders/book/evolve.ts";
import { premiumOf, splitPremiums } from "#app/orders/book/money.ts";
import { movementRows } from "#app/orders/book/movements.ts";
import { act, bought, play } from "./random-story.ts";
import { Story } from "./story.ts";

/** The movements of a book that grew in these steps. */
function movementsOf(book: readonly KeptEvent[], isStep: (index: number) => boolean) {
  let before = readBook([]);
  let added: KeptEvent[] = [];
  return book.flatMap((event, index) => {
    added.push(event);
    if (index < book.length - 1 && !isStep(index)) return [];
    const order = readBook(book.slice(0, index + 1));
    const rows = movementRows(before, order, added, event.at);
    before = order;
    added = [];
    return rows;
  });
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

describe("the movements of a book", () => {
  it("add up to what was collected, paid back and is owed, in whatever steps it grew", () => {
    fc.assert(
      fc.property(
        bought,
        fc.array(act, { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        (what, acts, step) => {
          const story = new Story(what);
          for (const each of acts) play(story, each);
          const order = readBook(story.book);
          const rows = movementsOf(story.book, (index) => index % step === 0);
          const total = (...kinds: string[]) =>
            sum(rows.filter(({ kind }) => kinds.includes(kind)).map(({ amountMinor }) => amountMinor));
          const { premiums } = splitPremiums(order, new Date(story.now));
          const paidMinor = order.paid === null ? 0 : sum(order.items.map((item) => premiumOf(order, item)));
          expect(total("premium", "discount")).toBe(paidMinor);
          const refunded = sum([...premiums.values()].map(({ refundedMinor }) => refundedMinor));
          expect(total("refund") + refunded).toBe(0);
          const owed = order.items.filter(
            ({ insuredAt, contract }) =>
              insuredAt !== null && contract !== null && contract.status !== "cancelled",
          );
          expect(total("contract", "contract_end")).toBe(sum(owed.map(({ sold }) => sold.offerPriceMinor)));
          for (const { happenedAt, knownAt } of rows) expect(happenedAt <= knownAt).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  const one = { phones: 1, plans: 1, others: 0, premiumMinor: 5_890 };
  const totalOf = (book: readonly KeptEvent[], kind: string) =>
    sum(
      movementsOf(book, () => true)
        .filter((row) => row.kind === kind)
        .map(({ amountMinor }) => amountMinor),
    );

  it("have the premium of an order that is paid back as a whole, although its insurance goes on", () => {
    const story = new Story(one);
    story.work();
    story.payBack(57_900 + 5_890);
    story.deliver({ isReversed: false, isTwice: false });
    expect(totalOf(story.book, "refund") + 0).toBe(0);
    story.append("paid_back", { type: "paid_back", asOf: new Date(story.now) });
    expect(totalOf(story.book, "refund")).toBe(-5_890);
    expect(totalOf(story.book, "contract")).toBe(5_890);
    expect(totalOf(story.book, "contract_end") + 0).toBe(0);
  });

  it("of a test order in production are the contract that staff had issued, and no money of a customer", () => {
    const story = new Story(one);
    story.work();
    const book = story.book.map((event): KeptEvent =>
      event.type === "placed" ? { ...event, isTest: true } : event,
    );
    expect(totalOf(book, "contract")).toBe(5_890);
    for (const kind of ["premium", "discount", "refund"]) expect(totalOf(book, kind) + 0).toBe(0);
  });

  it("keep what they said before, whatever comes later", () => {
    fc.assert(
      fc.property(
        bought,
        fc.array(act, { maxLength: 10 }),
        fc.array(act, { maxLength: 6 }),
        (what, first, later) => {
          const story = new Story(what);
          for (const each of first) play(story, each);
          const rows = movementsOf(story.book, () => true);
          for (const each of later) play(story, each);
          expect(movementsOf(story.book, () => true).slice(0, rows.length)).toEqual(rows);
        },
      ),
      { numRuns: 300 },
    );
  });
});
