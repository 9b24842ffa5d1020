import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endReasonOf, readBook, waitsForReplacement } from "#app/orders/book/evolve.ts";
import { premiumOf, splitPremiums } from "#app/orders/book/money.ts";
import { mayBeSold } from "#app/orders/book/quotes.ts";
import { nextContractStep } from "#app/orders/book/next-contract-step.ts";
import { act, bought, play } from "./random-story.ts";
import { Story } from "./story.ts";

function end(story: Story): void {
  story.deliver({ isReversed: false, isTwice: false });
  story.work();
  // A process that died is followed by another.
  story.work();
}

const runs = Number(process.env["BOOKS"] ?? 10_000);

describe("A book", () => {
  it(`adds up to the cent, insures each item once and leaves nothing out, in ${runs} random stories`, () => {
    fc.assert(
      fc.property(bought, fc.array(act, { maxLength: 12 }), (purchase, acts) => {
        const story = new Story(purchase);
        for (const each of acts) {
          play(story, each);
          addsUp(story);
        }
        end(story);
        addsUp(story);
        const order = story.order();
        // The order has the items that the shop's order has.
        expect(new Map(order.lines.map(({ lineId, current }) => [lineId, current]))).toEqual(
          story.currentInShop(),
        );
        // No item has two contracts.
        for (const { lineId, number } of order.items) {
          const active = story.contracts.filter(
            ({ item, isActive }) => isActive && item.lineId === lineId && item.number === number,
          );
          expect(active.length).toBeLessThanOrEqual(1);
        }
        // Of an item and the one that its cover moved to, one is insured in the end, or a person is to end the other.
        for (const { lineId, sold } of order.items.filter((item) => item.sold.replaces !== null)) {
          const replaced = order.items.find(
            (item) => item.lineId === lineId && item.number === sold.replaces,
          );
          if (replaced?.contract?.status === "active" && replaced.handedOver === null)
            expect(waitsForReplacement(order, replaced)).toBe(true);
        }
        // No more quotes are open than items without insurance, none on a cancelled order, and a contract of one whose
        // item is gone is a question.
        for (const line of order.lines.filter(({ kind }) => kind === "product")) {
          const ofLine = order.quotes.filter(({ lineId }) => lineId === line.lineId);
          const open = ofLine.filter(({ state }) => state === "open").length;
          const taken = ofLine.filter((quote) => mayBeSold(quote) && quote.reason === null).length;
          const insuring = order.items.filter(
            (item) =>
              item.insured?.lineId === line.lineId &&
              item.contract?.status === "active" &&
              endReasonOf(order, item) === null,
          ).length;
          const wanted = order.cancelledAt === null ? line.current : 0;
          if (open > 0) expect(open + taken + insuring).toBeLessThanOrEqual(wanted);
          const soldBy = ofLine.filter(({ contract, reason }) => contract !== null && reason === null);
          expect(soldBy.length).toBeLessThanOrEqual(wanted);
        }
        // No contract is left on a cancelled order without a step or a question that ends it.
        const active = story.contracts.filter(({ isActive }) => isActive);
        if (order.cancelledAt !== null && active.length > 0)
          expect(order.items.some(({ handedOver }) => handedOver !== null)).toBe(true);
        expect(nextContractStep(order, story.situation()).do).toBe("nothing");
        // What is open is a question that names the amount.
        const { premiums } = story.money();
        for (const [item, { openMinor }] of premiums) {
          if (openMinor === 0) continue;
          const asked = story
            .tasks()
            .filter(({ items }) =>
              items.some(({ lineId, number }) => lineId === item.lineId && number === item.number),
            );
          expect(Math.max(0, ...asked.map(({ atStakeMinor }) => atStakeMinor))).toBeGreaterThanOrEqual(
            openMinor,
          );
        }
        // No more counts as paid back than was.
        const answered = order.items.flatMap(({ decisions }) =>
          decisions.filter(({ answer }) => answer === "premium_refunded"),
        );
        const refunded = [...premiums.values()].reduce((sum, each) => sum + each.refundedMinor, 0);
        expect(refunded).toBeLessThanOrEqual(
          story.moved.refundedMinor + answered.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
        );
      }),
      { numRuns: runs },
    );
  });
});

function addsUp(story: Story): void {
  const order = readBook(story.book);
  const { premiums } = splitPremiums(order, new Date(story.now));
  for (const [item, premium] of premiums) {
    const { coveredMinor, underWayMinor, refundedMinor, keptMinor, openMinor } = premium;
    const parts = [coveredMinor, underWayMinor, refundedMinor, keptMinor, openMinor];
    expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(order.paid === null ? 0 : premiumOf(order, item));
  }
}
