import { describe, expect, it } from "vitest";
import { readBook } from "#app/orders/book/evolve.ts";
import { statementsOf } from "#app/orders/statement.ts";
import { Story } from "./book/story.ts";

const premiumMinor = 4_990;

function insured(plans = 1): Story {
  const story = new Story({ phones: plans, plans, others: 0, premiumMinor });
  story.work();
  return story;
}

const statementOf = (story: Story) => statementsOf(readBook(story.book), new Date(story.now));
const none = { covered: 0, underWay: 0, refunded: 0, kept: 0, open: 0 };

describe("the statement of an order", () => {
  it("counts a contract in force as covered", () => {
    expect(statementOf(insured())).toEqual([
      { currency: "EUR", paidMinor: premiumMinor, shares: { ...none, covered: premiumMinor } },
    ]);
  });

  it("splits what became of two premiums, which add up to what was paid", () => {
    const story = insured(2);
    story.refund([0, 1, 0], "all");
    story.deliver({ isReversed: false, isTwice: false });
    story.work();
    expect(statementOf(story)).toEqual([
      {
        currency: "EUR",
        paidMinor: 2 * premiumMinor,
        shares: { ...none, covered: premiumMinor, refunded: premiumMinor },
      },
    ]);
  });

  it("leaves open what is not decided", () => {
    const story = insured();
    story.refund([0, 1, 0], "none");
    story.deliver({ isReversed: false, isTwice: false });
    story.work();
    expect(statementOf(story)).toMatchObject([{ shares: { open: premiumMinor } }]);
  });

  it("is none for an unpaid order", () => {
    const unpaid = insured().book.filter(({ type }) => type !== "paid");
    expect(statementsOf(readBook(unpaid), new Date())).toEqual([]);
  });
});
