/** What has to come out right, told as stories of one order. */
import { describe, expect, it } from "vitest";
import { type Bought, Story } from "./story.ts";

const phone: Bought = { phones: 1, plans: 1, others: 1, premiumMinor: 5_890 };

/** An order whose contracts are made. */
function insured(bought: Partial<Bought> = {}): Story {
  const story = new Story({ ...phone, ...bought });
  story.work();
  return story;
}

function settled(story: Story): Story {
  story.deliver({ isReversed: false, isTwice: false });
  story.work();
  return story;
}

const asked = (story: Story) => story.tasks().map(({ kind, atStakeMinor }) => [kind, atStakeMinor] as const);

const split = (story: Story) =>
  [...story.money().premiums.values()].map((premium) =>
    Object.fromEntries(Object.entries(premium).filter(([, amountMinor]) => amountMinor > 0)),
  );

describe("A premium", () => {
  it("is covered once its contract is made", () => {
    expect(split(insured())).toEqual([{ coveredMinor: 5_890 }]);
  });

  it("is open where an edit takes the plan out of a paid order and nothing is paid back", () => {
    const story = insured();
    story.edit(1, 0);
    expect(asked(settled(story))).toEqual([["premium_kept", 5_890]]);
    expect(story.contracts).toMatchObject([{ isActive: false }]);
  });

  it("is open where the plan is refunded with no money", () => {
    const story = insured();
    story.refund([0, 1, 0], "none");
    expect(asked(settled(story))).toEqual([["premium_kept", 5_890]]);
  });

  it("is open where product and plan go back and the product's price alone is paid back", () => {
    const story = insured();
    story.refund([1, 1, 0], "products");
    expect(asked(settled(story))).toEqual([["premium_kept", 5_890]]);
  });

  it("is open where the refund of product and plan fails", () => {
    const story = insured();
    story.refund([1, 1, 0], "failed");
    expect(asked(settled(story))).toEqual([["premium_kept", 5_890]]);
  });

  it("is under way while its refund is pending, and refunded once that is settled", () => {
    const story = insured();
    story.refund([0, 1, 0], "pending");
    const [pending, ...others] = story.undelivered;
    if (!pending) throw new Error("The refund is reported");
    const settling = others.filter(([key]) => key.endsWith("settled"));
    story.undelivered = [pending, ...others.filter((each) => !settling.includes(each))];
    expect(split(settled(story))).toEqual([{ underWayMinor: 5_890 }]);
    story.undelivered = settling;
    expect(split(settled(story))).toEqual([{ refundedMinor: 5_890 }]);
    expect(asked(story)).toEqual([]);
  });

  it("is a question where a refund pays back another item and, in its amount, the premium too", () => {
    const story = insured();
    story.refund([0, 0, 1], "all");
    const [, refund] = story.undelivered.find(([key]) => key.startsWith("refund")) ?? [];
    if (refund?.type !== "refund") throw new Error("The refund is reported");
    refund.moneyMinor += 5_890;
    expect(asked(settled(story))).toEqual([["paid_back", 5_890]]);
    expect(split(story)).toEqual([{ coveredMinor: 5_890 }]);
  });

  it("is not asked about where the balance that an edit left is paid back without items", () => {
    const story = insured({ phones: 2, plans: 2 });
    story.edit(0, 1);
    story.edit(1, 1);
    story.payBack(57_900 + 5_890);
    expect(asked(settled(story))).toEqual([["manual_cancellation", 5_890]]);
    expect(split(story)).toEqual([{ coveredMinor: 5_890 }, { refundedMinor: 5_890 }]);
  });

  it("is refunded where its insurance ended and the money was paid back another way", () => {
    const story = insured();
    story.withdraw(false);
    expect(asked(settled(story))).toEqual([["withdrawal", 5_890]]);
    story.payBack(5_890);
    expect(asked(settled(story))).toEqual([]);
  });

  it("is asked about again for what is more than was answered", () => {
    const story = insured();
    story.payBack(5_890);
    expect(asked(settled(story))).toEqual([["paid_back", 5_890]]);
    story.decide(0, 0);
    expect(asked(story)).toEqual([]);
    story.payBack(2_000);
    expect(asked(settled(story))).toEqual([["paid_back", 7_890]]);
  });

  it("that a refund took is refunded, and one that an edit took is open, whichever came first", () => {
    const story = insured({ phones: 2, plans: 2 });
    story.edit(1, 1);
    settled(story);
    story.refund([0, 1, 0], "all");
    const [refunded, edited] = ["refund", "edit"].map((by) =>
      settled(story)
        .order()
        .items.filter(({ left }) => left === by)
        .map((item) => story.money().premiums.get(item)),
    );
    expect(refunded).toMatchObject([{ refundedMinor: 5_890 }]);
    expect(edited).toMatchObject([{ openMinor: 5_890 }]);
  });

  it("is kept where a person decides so", () => {
    const story = insured();
    story.edit(1, 0);
    settled(story).decide(0, 1);
    expect(split(story)).toEqual([{ keptMinor: 5_890 }]);
    expect(asked(story)).toEqual([]);
  });
});

describe("A contract", () => {
  it.each([
    { answer: "lost", contracts: 1 },
    { answer: "unclear", contracts: 1 },
    { answer: "crash_before", contracts: 1 },
    { answer: "crash_after", contracts: 1 },
    { answer: "not_done", contracts: 1 },
  ] as const)("is made once where its request ends as $answer", ({ answer, contracts }) => {
    const story = new Story(phone);
    story.answer = answer;
    story.work();
    story.work();
    expect(story.contracts).toHaveLength(contracts);
    expect(split(story)).toEqual([{ coveredMinor: 5_890 }]);
  });

  it("ends where its order is cancelled while the answer to its request is unclear", () => {
    const story = new Story(phone);
    story.answer = "crash_after";
    story.work();
    story.cancel();
    settled(story);
    expect(story.contracts).toMatchObject([{ isActive: false }]);
    expect(asked(story)).toEqual([["premium_kept", 5_890]]);
  });

  it("is not refused by the late answer to an earlier request", () => {
    const story = new Story(phone);
    story.answer = "crash_before";
    story.work();
    story.work();
    story.append("answered late", {
      type: "answered",
      item: { lineId: "2", number: 1 },
      attempt: 1,
      outcome: "refused",
      contractId: null,
      activatesOn: null,
      expiresOn: null,
      message: "Late",
    });
    expect(story.order().items).toMatchObject([{ attempts: 2, request: { attempt: 2, outcome: "created" } }]);
    expect(asked(story)).toEqual([]);
  });

  it("goes on while a person looks for claims of its customer, who withdrew, and ends once there are none", () => {
    const story = insured();
    story.withdraw(true);
    expect(asked(settled(story))).toEqual([["withdrawal", 5_890]]);
    expect(story.contracts).toMatchObject([{ isActive: true }]);
    story.decide(0, 1);
    expect(settled(story).contracts).toMatchObject([{ isActive: false }]);
    expect(asked(story)).toEqual([["withdrawal", 5_890]]);
  });

  it("that the insurer shows in a doubtful state is asked about again once it was shown in another", () => {
    const story = insured();
    story.showAs("suspended");
    expect(asked(story)).toEqual([["contract_doubtful", 5_890]]);
    story.decide(0, 0);
    expect(asked(story)).toEqual([]);
    expect(split(story)).toEqual([{ coveredMinor: 5_890 }]);
    story.showAs("suspended");
    expect(asked(story)).toEqual([]);
    story.showAs("expired");
    expect(asked(story)).toEqual([["contract_doubtful", 5_890]]);
    story.decide(0, 0);
    story.showAs("active");
    story.showAs("expired");
    expect(asked(story)).toEqual([["contract_doubtful", 5_890]]);
    expect(split(story)).toEqual([{ openMinor: 5_890 }]);
  });

  it("goes on without its product until a person decides", () => {
    const story = insured();
    story.refund([1, 0, 0], "all");
    expect(asked(settled(story))).toEqual([["product_returned", 5_890]]);
    story.decide(0, 0);
    expect(asked(story)).toEqual([]);
    expect(split(story)).toEqual([{ coveredMinor: 5_890 }]);
  });
});
