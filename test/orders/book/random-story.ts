/** Random stories of an order, for property tests of what is read of its book. */
import fc from "fast-check";
import { answers, type Bought, cancellations, exchanges, quoteAnswers, type Story } from "./story.ts";

export const bought: fc.Arbitrary<Bought> = fc.record({
  phones: fc.integer({ min: 1, max: 3 }),
  plans: fc.integer({ min: 1, max: 3 }),
  others: fc.integer({ min: 0, max: 2 }),
  premiumMinor: fc.constantFrom(5_890, 1, 9_999),
});

export const act = fc.oneof(
  fc.record({ do: fc.constant("deliver" as const), isReversed: fc.boolean(), isTwice: fc.boolean() }),
  fc.record({
    do: fc.constant("refund" as const),
    wanted: fc.array(fc.nat(2), { minLength: 3, maxLength: 3 }),
    money: fc.constantFrom("all", "products", "none", "pending", "failed"),
  }),
  fc.record({ do: fc.constant("pay back" as const), moneyMinor: fc.constantFrom(5_890, 1_000, 90_000) }),
  fc.record({ do: fc.constant("edit" as const), index: fc.nat(2), quantity: fc.nat(2) }),
  fc.record({ do: fc.constant("exchange" as const), what: fc.constantFrom(...exchanges) }),
  fc.record({
    do: fc.constant("quote" as const),
    index: fc.nat(3),
    answer: fc.constantFrom(...quoteAnswers),
  }),
  fc.record({ do: fc.constant("buy by quote" as const), index: fc.nat(3) }),
  fc.record({ do: fc.constant("cancel" as const) }),
  fc.record({ do: fc.constant("withdraw" as const), mayHaveClaim: fc.boolean() }),
  fc.record({ do: fc.constant("decide" as const), index: fc.nat(3), answer: fc.nat(1) }),
  fc.record({
    do: fc.constant("work" as const),
    answer: fc.constantFrom(...answers),
    cancellation: fc.constantFrom(...cancellations),
  }),
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

export function play(story: Story, each: Act): void {
  switch (each.do) {
    case "deliver": {
      story.deliver(each);
      return;
    }
    case "refund": {
      story.refund(each.wanted, each.money);
      return;
    }
    case "pay back": {
      story.payBack(each.moneyMinor);
      return;
    }
    case "edit": {
      story.edit(each.index, each.quantity);
      return;
    }
    case "exchange": {
      story.exchange(each.what);
      return;
    }
    case "quote": {
      story.quoteAnswer = each.answer;
      story.quote(each.index);
      return;
    }
    case "buy by quote": {
      story.buyByQuote(each.index);
      return;
    }
    case "cancel": {
      story.cancel();
      return;
    }
    case "withdraw": {
      story.withdraw(each.mayHaveClaim);
      return;
    }
    case "decide": {
      story.decide(each.index, each.answer);
      return;
    }
    case "work":
      story.answer = each.answer;
      story.cancellation = each.cancellation;
      {
        story.work();
        return;
      }
  }
}
