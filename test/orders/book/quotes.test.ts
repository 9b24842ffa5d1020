/** The quotes of an order, from its events alone: the fold and its rules. */
import { describe, expect, it } from "vitest";
import type { BookEvent } from "#app/orders/book/events.ts";
import type { Order } from "#app/orders/book/evolve.ts";
import { quoteRows } from "#app/orders/book/projection.ts";
import {
  decideAt,
  isInsurable,
  isUsable,
  mayBeAsked,
  quoteSituation,
  quoteWorkAt,
  surplusQuotes,
  type QuoteTerms,
} from "#app/orders/book/quote-rules.ts";
import { isLost } from "#app/quotes/of-orders/order-quotes.ts";
import { NOW, toldOrder } from "#test/issuing/told-order.ts";
import { madeQuote, planned, soldBy } from "#test/quotes/told-quote.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TODAY = "2026-11-24";
const key = (number: number) => ({ lineId: "1", number });
const terms: QuoteTerms = {
  since: new Date("2026-01-01"),
  delayHours: 24,
  timezone: "Europe/Paris",
  acceptsMarketing: true,
};

/** A line of phones in a paid order. @param status as told-order.ts has it */
function withPhones(phones: number, more: readonly BookEvent[], status = "paid", items = ""): Order {
  const bought: BookEvent[] = [
    {
      type: "line",
      lineId: "1",
      kind: "product",
      pairId: "1",
      productId: "800",
      variantId: "1",
      title: "Nova",
      listPriceMinor: 57_900,
      paidMinor: 57_900,
      currency: "EUR",
      requiresShipping: true,
      isLater: false,
      categoryId: "Smartphones",
      isOffered: true,
      isSelected: false,
      offeredAt: null,
      productFormat: null,
    },
    { type: "quantity", lineId: "1", ordered: phones, current: phones, refunded: 0, fulfilled: 0, asOf: NOW },
  ];
  return toldOrder({
    status,
    items,
    salesRecord: "recorded",
    goods: [],
    insured: ["1"],
    more: [...bought, ...more],
  });
}

const asked = (number: number): BookEvent[] => [
  planned(key(number)),
  { type: "quote_asked", quote: key(number), attempt: 1 },
];
const answer = (
  number: number,
  outcome: "refused" | "no_offer" | "not_done" | "unclear",
  attempt = 1,
): BookEvent => ({
  type: "quote_answered",
  quote: key(number),
  attempt,
  outcome,
  quoteId: outcome === "no_offer" ? "LD-9" : null,
  expiresOn: outcome === "no_offer" ? "2026-12-24" : null,
});
const revoked = (number: number, reason: "suppressed" | "erased" | "fewer_pieces"): BookEvent => ({
  type: "quotes_revoked",
  quotes: [key(number)],
  reason,
});

describe("a quote is", () => {
  const quotes = [key(1)];
  it.each<[what: string, events: BookEvent[], state: string | undefined, reason?: string]>([
    ["planned", [planned(key(1))], "due"],
    ["being requested", asked(1), "sending"],
    ["made", madeQuote(key(1)), "open"],
    ["refused", [...asked(1), answer(1, "refused")], "refused", "refused_by_insurer"],
    ["of no use without an offer", [...asked(1), answer(1, "no_offer")], "refused", "no_offer"],
    ["unknown without an answer", [...asked(1), answer(1, "unclear")], "unknown"],
    ["unknown where its worker is gone", [...asked(1), { type: "quotes_lost", quotes }], "unknown"],
    [
      "made after all, by a late answer",
      [...asked(1), { type: "quotes_lost", quotes }, ...madeQuote(key(1)).slice(2)],
      "open",
    ],
    ["requested again where nothing was done", [...asked(1), answer(1, "not_done")], "due"],
    ["not changed by an answer to another request", [...asked(1), answer(1, "refused", 2)], "sending"],
    [
      "gone where nothing was done for who requested it",
      [
        planned(key(1), { delayHours: 0 }),
        { type: "quote_asked", quote: key(1), attempt: 1 },
        answer(1, "not_done"),
      ],
      undefined,
    ],
    [
      "gone when it was not requested in time",
      [planned(key(1)), { type: "quotes_dropped", quotes }],
      undefined,
    ],
    ["not dropped once it is being requested", [...asked(1), { type: "quotes_dropped", quotes }], "sending"],
    ["revoked", [...madeQuote(key(1)), revoked(1, "suppressed")], "revoked", "suppressed"],
    ["not revoked while it is being requested", [...asked(1), revoked(1, "erased")], "sending"],
    ["sold", [...madeQuote(key(1)), soldBy(key(1))], "sold"],
    [
      "sold though it was revoked",
      [...madeQuote(key(1)), revoked(1, "fewer_pieces"), soldBy(key(1))],
      "sold",
    ],
    [
      "sold, and its item gone since",
      [...madeQuote(key(1)), soldBy(key(1)), revoked(1, "fewer_pieces")],
      "sold",
      "fewer_pieces",
    ],
    [
      "sold, and its contract cancelled",
      [...madeQuote(key(1)), soldBy(key(1)), revoked(1, "fewer_pieces"), soldBy(key(1), "cancelled")],
      "sold",
      "contract_cancelled",
    ],
    [
      "the sale of one contract",
      [...madeQuote(key(1)), soldBy(key(1)), soldBy(key(1), "cancelled", "CT-2")],
      "sold",
    ],
  ])("%s", (_what, events, state, reason) => {
    const [quote] = withPhones(1, events).quotes;
    expect([quote?.state, quote?.reason ?? undefined]).toEqual([state, reason]);
  });

  it("shown with its contract's title once that was in force", () => {
    const pending = [...madeQuote(key(1)), soldBy(key(1), "other")];
    const titleOf = (events: BookEvent[]) => quoteRows(withPhones(1, events))[0]?.soldTitle;
    expect(titleOf(pending)).toBeNull();
    expect(titleOf([...pending, soldBy(key(1))])).toBe("Casse");
    expect(titleOf([...pending, soldBy(key(1)), soldBy(key(1), "cancelled")])).toBe("Casse");
  });

  it("lost with the worker that sent it, and where a backup was restored after it was planned", () => {
    const [quote] = withPhones(1, asked(1)).quotes;
    const [due] = withPhones(1, [planned(key(1))]).quotes;
    if (!quote || !due) throw new Error("It has no quote");
    const later = new Date(NOW.getTime() + HOUR_MS);
    expect(isLost(quote, { now: NOW, restoredAt: null })).toBe(false);
    expect(isLost(quote, { now: later, restoredAt: null })).toBe(true);
    expect(isLost(due, { now: later, restoredAt: null })).toBe(false);
    expect(isLost(due, { now: later, restoredAt: new Date(0) })).toBe(false);
    expect(isLost(due, { now: later, restoredAt: later })).toBe(true);
  });
});

describe("the quotes whose item is gone", () => {
  const three = [1, 2, 3].flatMap((number) => madeQuote(key(number), {}, { quoteId: `LD-${number}` }));
  const surplus = (order: Order, today = TODAY) =>
    surplusQuotes(order, today).map(({ quote, reason }) => `${quote.number} ${reason}`);

  it.each<[what: string, phones: number, events: BookEvent[], expected: string[]]>([
    ["are none while each has its item", 3, three, []],
    ["are the last of those that are left", 1, three, ["2 fewer_pieces", "3 fewer_pieces"]],
    ["are the planned ones first", 1, [planned(key(1)), ...madeQuote(key(2))], ["1 fewer_pieces"]],
    [
      "are the open ones before a sold one",
      1,
      [...three, soldBy(key(3))],
      ["1 fewer_pieces", "2 fewer_pieces"],
    ],
    ["are not those that are revoked", 1, [...three, revoked(2, "suppressed")], ["3 fewer_pieces"]],
    ["are none of another order's line", 1, madeQuote({ lineId: "9", number: 1 }), []],
  ])("%s", (_what, phones, events, expected) => {
    expect(surplus(withPhones(phones, events))).toEqual(expected);
  });

  it("are all of a cancelled order, and of one whose customer was erased", () => {
    expect(surplus(withPhones(3, three, "paid cancelled"))).toEqual([
      "1 order_cancelled",
      "2 order_cancelled",
      "3 order_cancelled",
    ]);
    expect(surplus(withPhones(1, [...madeQuote(key(1)), { type: "erased" }], "paid cancelled"))).toEqual([
      "1 erased",
    ]);
  });

  it("are not the expired ones, whose items may have another", () => {
    const again = [...madeQuote(key(1)), ...madeQuote(key(2), {}, { expiresOn: "2027-01-31" })];
    expect(surplus(withPhones(1, again))).toEqual(["2 fewer_pieces"]);
    expect(surplus(withPhones(1, again), "2026-12-25")).toEqual([]);
  });

  it("are those of items that were insured otherwise, unless that contract was cancelled", () => {
    expect(surplus(withPhones(1, madeQuote(key(1)), "paid", "active"))).toEqual(["1 fewer_pieces"]);
    expect(surplus(withPhones(1, madeQuote(key(1)), "paid", "ended"))).toEqual([]);
  });

  it("cannot be used, nor can one that has expired", () => {
    const order = withPhones(1, three);
    expect(order.quotes.map((quote) => isUsable(order, quote, TODAY))).toEqual([true, false, false]);
    expect(order.quotes.some((quote) => isUsable(order, quote, "2026-12-25"))).toBe(false);
  });
});

describe("a planned quote is requested", () => {
  const may = (phones: number, events: BookEvent[], status = "paid") => {
    const order = withPhones(phones, [planned(key(9)), ...events], status);
    const quote = order.quotes.find(({ number }) => number === 9);
    return quote !== undefined && mayBeAsked(order, quote, TODAY);
  };
  it.each<[what: string, may: boolean, phones: number, events: BookEvent[], status?: string]>([
    ["for an item without insurance", true, 1, []],
    ["not for one that left", false, 0, []],
    ["not beside another that can be used", false, 1, madeQuote(key(1))],
    ["not beside another that may exist", false, 1, [...asked(1), answer(1, "unclear")]],
    ["beside one that was refused", true, 1, [...asked(1), answer(1, "refused")]],
    ["beside one that has expired", true, 1, madeQuote(key(1), {}, { expiresOn: "2026-11-23" })],
    ["not of a cancelled order", false, 1, [], "paid cancelled"],
    ["not of an erased customer", false, 1, [{ type: "erased" }]],
  ])("%s", (_what, expected, phones, events, status) => {
    expect(may(phones, events, status)).toBe(expected);
  });
});

describe("a quote needs work", () => {
  const opened: BookEvent = { type: "quote_opened", quote: key(1) };
  const hours = (
    events: BookEvent[],
    { now = NOW, ...changes }: Partial<QuoteTerms> & { now?: Date } = {},
  ) => {
    const order = withPhones(1, events);
    const [quote] = order.quotes;
    const at = quote && quoteWorkAt(order, quote, { ...terms, ...changes }, now);
    return at ? Math.round(((at.getTime() - NOW.getTime()) / HOUR_MS) * 10) / 10 : null;
  };
  it.each<[what: string, events: BookEvent[], hours: number | null, changes?: Parameters<typeof hours>[1]]>([
    ["at once while it is planned", [planned(key(1))], 0],
    ["never where the shop has turned quotes off", [planned(key(1))], null, { since: null }],
    ["some minutes after it was sent", asked(1), 0.2],
    ["never while its outcome is unknown", [...asked(1), answer(1, "unclear")], null],
    ["never once it was refused", [...asked(1), answer(1, "refused")], null],
    ["in a week while it was not opened", madeQuote(key(1)), 168],
    ["every hour of the day after it was opened", [...madeQuote(key(1)), opened], 1],
    ["then every day", [...madeQuote(key(1)), opened], 24, { now: new Date(NOW.getTime() + 25 * HOUR_MS) }],
    ["when it expires", madeQuote(key(1), {}, { expiresOn: "2026-11-24" }), 13],
    [
      "a last time after it has expired",
      madeQuote(key(1), {}, { expiresOn: "2026-11-24" }),
      48,
      { now: new Date(NOW.getTime() + 2 * DAY_MS) },
    ],
    ["never once that is done", madeQuote(key(1), {}, { expiresOn: "2026-11-23" }), null],
    ["in a week though it was revoked", [...madeQuote(key(1)), revoked(1, "suppressed")], 168],
    ["never once its customer was erased", [...madeQuote(key(1)), revoked(1, "erased")], null],
    ["in a week once it was sold", [...madeQuote(key(1)), soldBy(key(1))], 168],
    ["in a day where its contract is not in force yet", [...madeQuote(key(1)), soldBy(key(1), "other")], 24],
    ["never once its contract was cancelled", [...madeQuote(key(1)), soldBy(key(1), "cancelled")], null],
    [
      "never after its contract's term",
      [...madeQuote(key(1)), soldBy(key(1))],
      null,
      { now: new Date("2029-01-01") },
    ],
  ])("%s", (_what, events, expected, changes) => {
    expect(hours(events, changes)).toBe(expected);
  });

  it("never where the shop does not have the app", () => {
    const order = withPhones(1, madeQuote(key(1)));
    expect(quoteSituation(order, null, NOW)).toEqual({ exist: false, decideAt: null, searchAt: null });
    expect(quoteSituation(order, terms, NOW)).toMatchObject({ exist: true });
  });
});

describe("which items get quotes is decided", () => {
  const hours = (
    phones: number,
    events: BookEvent[],
    changes: Partial<QuoteTerms> = {},
    status = "paid",
    after = 0,
  ) => {
    const order = withPhones(phones, events, status);
    const at = decideAt(order, { ...terms, ...changes }, new Date(NOW.getTime() + after));
    return at && order.paid && (at.getTime() - order.paid.at.getTime()) / HOUR_MS;
  };
  it("after the merchant's delay", () => expect(hours(1, [])).toBe(24));
  it.each<[what: string, at: number | null]>([
    ["it was decided", hours(1, [{ type: "quotes_decided" }])],
    ["nothing is left", hours(0, [])],
    ["its customer wants no mail", hours(1, [], { acceptsMarketing: false })],
    ["the merchant wants none", hours(1, [], { since: null })],
    ["it was paid before the merchant wanted any", hours(1, [], { since: NOW })],
    ["it is not paid", hours(1, [], {}, "")],
    ["it is cancelled", hours(1, [], {}, "paid cancelled")],
    ["its customer was erased", hours(1, [{ type: "erased" }])],
    ["none is expected any more", hours(1, [], {}, "paid", 11 * DAY_MS)],
  ])("never where %s", (_what, at) => expect(at).toBeNull());
});

describe("a customer can insure something", () => {
  const can = (phones: number, events: BookEvent[], status = "paid", days = 30, after = 0) =>
    isInsurable(withPhones(phones, events, status), days, new Date(NOW.getTime() + after));
  it.each<[what: string, can: boolean, expected: boolean]>([
    ["that is not insured", can(1, []), true],
    ["that has a quote", can(1, madeQuote(key(1))), true],
    ["but not what a quote has insured", can(1, [...madeQuote(key(1)), soldBy(key(1))]), false],
    ["but not what may have a contract", can(1, asked(1)), false],
    ["of several items", can(2, [...madeQuote(key(1)), soldBy(key(1))]), true],
    ["but nothing that left", can(0, []), false],
    ["but not before it is paid", can(1, [], ""), false],
    ["but not of a cancelled order", can(1, [], "paid cancelled"), false],
    ["but not after an erasure", can(1, [{ type: "erased" }]), false],
    ["but not after the shop's days", can(1, [], "paid", 30, 31 * DAY_MS), false],
    ["but not where the shop sells none", can(1, [], "paid", 0), false],
  ])("%s", (_what, is, expected) => expect(is).toBe(expected));
});
