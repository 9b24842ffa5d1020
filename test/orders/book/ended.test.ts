import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type KeptEvent } from "#app/orders/book/events.ts";
import { readBook } from "#app/orders/book/evolve.ts";
import { itemRows } from "#app/orders/book/projection.ts";
import { act, bought, play } from "./random-story.ts";
import { Story } from "./story.ts";

const one = { phones: 1, plans: 1, others: 0, premiumMinor: 5_890 };

function insured(): Story {
  const story = new Story(one);
  story.work();
  story.pass(86_400);
  return story;
}

const rowOf = (book: readonly KeptEvent[]) => {
  const [row] = itemRows(readBook(book));
  if (!row) throw new Error("The order has an insured item");
  return row;
};

describe("the end of an item", () => {
  it("is known exactly of those that are not to be insured any more, and does not move", () => {
    fc.assert(
      fc.property(bought, fc.array(act, { maxLength: 12 }), (what, acts) => {
        const story = new Story(what);
        for (const each of acts) play(story, each);
        const order = readBook(story.book);
        for (const row of itemRows(order)) {
          expect(row.endedAt !== null).toBe(!row.wanted || order.cancelledAt !== null);
          expect(row.contractEndedAt !== null).toBe(row.contractStatus === "cancelled");
        }
        const known = itemRows(readBook(story.book.slice(0, -1)));
        for (const row of itemRows(order)) {
          const before = known.find(
            ({ lineId, itemNumber }) => lineId === row.lineId && itemNumber === row.itemNumber,
          );
          if (before?.endedAt && row.endedAt) expect(row.endedAt).toEqual(before.endedAt);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("is when a cancellation, a return or a withdrawal became known", () => {
    const ways: ((story: Story) => void)[] = [
      (story) => story.cancel(),
      (story) => story.refund([1, 1, 0], "all"),
      (story) => story.withdraw(false),
    ];
    for (const end of ways) {
      const story = insured();
      expect(rowOf(story.book)).toMatchObject({ endedAt: null, contractEndedAt: null });
      end(story);
      story.pass(3_600);
      const knownAt = new Date(story.now);
      story.deliver({ isReversed: false, isTwice: false });
      const { endedAt } = rowOf(story.book);
      expect(endedAt).not.toBeNull();
      expect(endedAt?.getTime()).toBeLessThanOrEqual(knownAt.getTime());
      story.pass(86_400);
      story.work();
      expect(rowOf(story.book).endedAt).toEqual(endedAt);
    }
  });

  it("is undone where a person keeps the insurance", () => {
    const story = insured();
    const decided = (answer: "end" | "keep_insurance") =>
      story.append(`decided ${answer}`, {
        type: "decided",
        question: "keep:2:1",
        items: [{ lineId: "2", number: 1 }],
        answer,
        amountMinor: 0,
        by: "1",
      });
    decided("end");
    expect(rowOf(story.book).endedAt).toEqual(new Date(story.now));
    decided("keep_insurance");
    expect(rowOf(story.book).endedAt).toBeNull();
  });

  it("at the insurer is when its list first showed the contract as cancelled", () => {
    const story = insured();
    const [contract] = story.contracts;
    if (!contract) throw new Error("The item has a contract");
    const shown = (status: "active" | "cancelled") => {
      story.pass(60);
      story.append(`contract ${story.now}`, {
        type: "contract",
        contractId: contract.id,
        item: contract.item,
        status,
        statusText: status,
        referenceId: contract.referenceId,
        activatesOn: null,
        expiresOn: null,
      });
      return new Date(story.now);
    };
    const first = shown("cancelled");
    shown("cancelled");
    expect(rowOf(story.book)).toMatchObject({ endedAt: null, contractEndedAt: first });
    shown("active");
    expect(rowOf(story.book).contractEndedAt).toBeNull();
  });
});

describe("a contract in no clear state that never was in force", () => {
  it("is no contract of its item, and its number is kept", () => {
    const story = new Story(one);
    story.append("contract unclear", {
      type: "contract",
      contractId: "CT-9",
      item: { lineId: "2", number: 1 },
      status: "other",
      statusText: "in review",
      referenceId: "SMA-24",
      activatesOn: null,
      expiresOn: null,
    });
    expect(rowOf(story.book)).toMatchObject({ contractId: null, unclearContractId: "CT-9" });
    story.append("contract active", {
      type: "contract",
      contractId: "CT-9",
      item: { lineId: "2", number: 1 },
      status: "active",
      statusText: "active",
      referenceId: "SMA-24",
      activatesOn: null,
      expiresOn: null,
    });
    expect(rowOf(story.book)).toMatchObject({ contractId: "CT-9", unclearContractId: null });
  });
});
