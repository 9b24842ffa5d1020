import { describe, expect, it } from "vitest";
import {
  itemsToFulfil,
  nextDueAt,
  nextStep,
  type OrderSituation,
  type Step,
} from "#app/issuing/next-step.ts";
import type { BookEvent } from "#app/orders/book/events.ts";
import type { Item, Order } from "#app/orders/book/evolve.ts";
import { conclusiveAt, nextContractStep } from "#app/orders/book/next-contract-step.ts";
import { madeQuote, soldBy } from "#test/quotes/told-quote.ts";
import { money, NOW, PREMIUM_MINOR, type Told, toldOrder } from "./told-order.ts";

const HOUR_MS = 3_600_000;
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const at = (hours: number) => after(hours * 3_600);

/** An order in a shop that lets the app do nothing to it, without quotes. */
const elsewhere: Omit<OrderSituation, "order"> = {
  skips: [],
  fulfilsPlans: "never",
  showsCover: false,
  tagging: "none",
  mailsContracts: false,
  isInstalled: false,
  quotes: { exist: false, decideAt: null, searchAt: null },
  now: NOW,
  restoredAt: null,
  conclusiveAfterS: 600,
};

/** The customer took a contract from the quote of an item. */
const usedQuote = [...madeQuote({ lineId: "1", number: 1 }), soldBy({ lineId: "1", number: 1 })];

type RecordWord = Told["salesRecord"];

const situation = (
  status: string,
  items: string,
  salesRecord: RecordWord,
  changes: Partial<OrderSituation> = {},
): OrderSituation => ({ ...elsewhere, order: toldOrder({ status, items, salesRecord }), ...changes });

/** With the numbers of the items that it is about. */
function inWords(step: Step): string {
  const items = "item" in step ? [step.item] : "items" in step ? step.items : [];
  return [step.do, ...items.map(({ number }) => number)].join(" ");
}

describe("the next step of an order", () => {
  const rows: [status: string, items: string, salesRecord: RecordWord, step: string][] = [
    // Not paid yet
    ["", "", "none", "nothing"],
    ["", "pending", "none", "nothing"],
    ["", "pending-", "none", "nothing"],
    // Paid
    ["paid", "", "none", "record"],
    ["paid", "", "recorded", "nothing"],
    ["paid", "pending", "none", "request 1"],
    ["paid", "active pending", "none", "request 2"],
    ["paid", "active active", "none", "record"],
    ["paid", "active active", "recorded", "nothing"],
    ["paid", "refused active", "none", "record"],
    ["paid", "checked", "none", "record"],
    ["paid", "checked", "recorded", "nothing"],
    ["paid", "checked pending", "none", "request 2"],
    ["paid", "active", "refused", "nothing"],
    // A test order where contracts are real
    ["paid", "checked", "test_order", "nothing"],
    ["paid", "", "test_order", "nothing"],
    ["paid cancelled", "pending", "test_order", "nothing"],
    // Deleted in Shopify before anything was created
    ["paid deleted", "pending", "none", "nothing"],
    // A request whose outcome is unknown goes before everything else
    ["paid", "creating pending", "none", "look_up 1"],
    ["paid", "unknown pending", "none", "look_up 1"],
    ["paid", "unknown unknown", "none", "look_up 1 2"],
    ["paid cancelled", "creating", "none", "look_up 1"],
    ["paid cancelled", "unknown active", "recorded", "look_up 1"],
    // Cancelled before anything was created
    ["cancelled", "", "none", "nothing"],
    ["cancelled", "pending", "none", "nothing"],
    ["paid cancelled", "pending", "none", "record"],
    ["paid cancelled", "checked", "none", "record"],
    ["paid cancelled", "refused", "recorded", "cancel"],
    ["paid cancelled", "pending", "recorded", "cancel"],
    ["paid cancelled", "pending", "cancelled", "nothing"],
    ["paid cancelled", "pending", "refused", "nothing"],
    // Cancelled while or after plans were created
    ["paid cancelled", "active pending", "none", "record"],
    ["paid cancelled", "active pending", "recorded", "cancel 1"],
    ["paid cancelled", "active ended", "recorded", "cancel 1"],
    ["paid cancelled", "active active", "cancelling", "cancel 1 2"],
    ["paid cancelled", "handed active", "recorded", "cancel 2"],
    ["paid cancelled", "active", "refused", "cancel 1"],
    // Refunded or removed by an edit: all of the insurance
    ["paid", "active-", "recorded", "cancel 1"],
    ["paid", "active- active-", "recorded", "cancel 1 2"],
    ["paid", "active- pending-", "recorded", "cancel 1"],
    ["paid", "active- ended-", "recorded", "cancel 1"],
    ["paid", "active- ended", "recorded", "cancel 1"],
    ["paid", "active-", "cancelling", "cancel 1"],
    ["paid", "pending-", "recorded", "nothing"],
    ["paid", "ended-", "recorded", "nothing"],
    ["paid", "ended-", "cancelled", "nothing"],
    // Refunded or removed by an edit: a part of it
    ["paid", "active active-", "recorded", "hand_over 2"],
    ["paid", "active handed-", "recorded", "nothing"],
    ["paid", "pending active-", "recorded", "request 1"],
    ["paid", "refused active-", "recorded", "hand_over 2"],
    ["paid", "checked active-", "recorded", "hand_over 2"],
    ["paid", "active active-", "cancelling", "hand_over 2"],
    ["paid", "active pending-", "recorded", "nothing"],
    ["paid", "active ended-", "recorded", "nothing"],
    // The rest of the insurance ends, too, after one part was left to the merchant
    ["paid", "active- handed-", "recorded", "cancel 1"],
    ["paid", "pending- handed-", "recorded", "cancel"],
    // The insurer refused to cancel the order: the merchant cancels each contract
    ["paid cancelled", "active active", "not_cancelled", "hand_over 1"],
    ["paid cancelled", "handed", "not_cancelled", "nothing"],
    ["paid cancelled", "handed ended", "not_cancelled", "nothing"],
    ["paid", "handed- handed-", "not_cancelled", "nothing"],
    ["paid cancelled", "handed", "recorded", "cancel"],
    // It accepted that, and its contract is looked at
    ["paid cancelled", "handed active", "cancelled", "look_up_cancelled 2"],
    // The insurer did not say whether the contract is in force
    ["paid", "unclear", "recorded", "nothing"],
    ["paid", "rejected", "recorded", "nothing"],
    ["paid", "unclear pending", "none", "request 2"],
    ["paid", "unclear-", "recorded", "doubt 1"],
    ["paid", "active unclear-", "recorded", "doubt 2"],
    ["paid cancelled", "unclear active", "recorded", "doubt 1"],
    ["paid cancelled", "rejected active", "recorded", "cancel 1 2"],
    // The cover of an exchanged product moves: its contract goes on until the replacement's is in force
    ["paid", "active- pending>", "recorded", "request 2"],
    ["paid", "unknown- pending>", "recorded", "look_up 1"],
    ["paid", "active- unknown>", "recorded", "look_up 2"],
    ["paid", "active- refused>", "recorded", "nothing"],
    ["paid", "active- checked>", "recorded", "nothing"],
    ["paid", "active- active>", "recorded", "hand_over 1"],
    ["paid", "handed- active>", "recorded", "nothing"],
    ["paid", "active- ended>", "recorded", "cancel 1"],
    ["paid", "pending- pending>", "recorded", "request 2"],
    ["paid", "active- pending>-", "recorded", "cancel 1"],
    ["paid cancelled", "active- active>", "recorded", "cancel 1 2"],
    // An edit adds a plan to an order whose insurance had ended
    ["paid", "ended- pending", "cancelled", "request 2"],
  ];
  for (const [status, items, salesRecord, expected] of rows) {
    it(`${status || "unpaid"}, [${items}], sales record ${salesRecord}: ${expected}`, () => {
      expect(inWords(nextStep(situation(status, items, salesRecord)))).toBe(expected);
    });
  }

  it("is not the sales record while that is deferred, but still a cancellation", () => {
    const skips = ["record"] as const;
    expect(nextStep(situation("paid", "active", "none", { skips })).do).toBe("nothing");
    expect(nextStep(situation("paid cancelled", "active", "none", { skips })).do).toBe("cancel");
  });

  it("searches the insurer's list ever more rarely, up to the time from which none means none", () => {
    const lookUp: BookEvent = {
      type: "looked_up",
      item: { lineId: "plan", number: 1 },
      isConclusive: false,
      problem: null,
    };
    const nextAt = (lookedUpAfterS: number) => {
      const order = toldOrder({ status: "paid", items: "unknown", salesRecord: "none", more: [lookUp] });
      const items = order.items.map((item) => ({ ...item, lookedUpAt: after(lookedUpAfterS) }));
      return nextContractStep({ ...order, items }, { ...elsewhere, now: after(lookedUpAfterS) });
    };
    expect([0, 2, 10, 60].map(nextAt)).toEqual(
      [2, 10, 60, 600].map((seconds) => ({ do: "wait", until: after(seconds) })),
    );
    // What cannot be read by then is not given up.
    expect(nextAt(600)).toEqual({ do: "wait", until: after(1_200) });
  });

  it("looks at the contracts of an accepted cancellation, sends it again, and then hands them over", () => {
    const stepAfter = (lookedUpAfterS: number | null, attempt = 1, isConclusive = false) => {
      const order = toldOrder({ status: "paid cancelled", items: "active", salesRecord: "cancelled" });
      const cancellation = order.cancellation && {
        ...order.cancellation,
        attempt,
        lookedUpAt: lookedUpAfterS === null ? null : after(lookedUpAfterS),
        hasFailed: isConclusive,
      };
      return nextContractStep({ ...order, cancellation }, { ...elsewhere, now: after(lookedUpAfterS ?? 0) });
    };
    expect(stepAfter(null)).toMatchObject({ do: "look_up_cancelled" });
    expect([0, 2, 10, 60].map((seconds) => stepAfter(seconds))).toEqual(
      [2, 10, 60, 600].map((seconds) => ({ do: "wait", until: after(seconds) })),
    );
    expect(stepAfter(600, 1, true)).toMatchObject({ do: "cancel", attempt: 2 });
    expect(stepAfter(600, 3, true)).toMatchObject({ do: "hand_over" });
  });

  it("after a restored backup searches the list before anything is requested, once", () => {
    const restored = { ...elsewhere, restoredAt: after(60), now: after(120) };
    const order = toldOrder({ status: "paid", items: "pending active checked", salesRecord: "recorded" });
    expect(inWords(nextStep({ ...restored, order }))).toBe("doubt 1");
    const items = order.items.map((item) => ({ ...item, lookedUpAt: after(90) }));
    expect(inWords(nextStep({ ...restored, order: { ...order, items } }))).toBe("request 1");
  });

  const shop = { fulfilsPlans: "at_once", showsCover: true } as const;
  const quoted = { exist: true, decideAt: null, searchAt: null };
  const undecided = (hours: number) => ({ ...quoted, exist: false, decideAt: at(hours) });
  type Shop = Partial<OrderSituation>;
  const shopRows: [what: string, status: string, items: string, RecordWord, Shop, step: string][] = [
    ["contracts come before what the shop shows", "paid", "active pending", "none", shop, "request 2"],
    ["so does the sales record", "paid", "active", "none", shop, "record"],
    ["lines of contracts are fulfilled first", "paid", "active", "recorded", shop, "fulfil"],
    ["each once", "paid", "active!", "recorded", shop, "show_cover"],
    ["a line without a contract is not", "paid", "checked", "recorded", shop, "show_cover"],
    ["nor one that the merchant fulfils", "paid", "active", "recorded", { showsCover: true }, "show_cover"],
    ["an order that is not paid shows nothing yet", "", "pending", "none", shop, "nothing"],
    ["an order without insurance shows nothing", "paid", "", "recorded", shop, "nothing"],
    [
      "unless its customer used a quote",
      "paid",
      "",
      "recorded",
      { ...shop, order: toldOrder({ status: "paid", items: "", salesRecord: "recorded", more: usedQuote }) },
      "show_cover",
    ],
    [
      "quotes come before the cover",
      "paid",
      "active!",
      "recorded",
      { ...shop, quotes: quoted },
      "update_quotes",
    ],
    [
      "and are taken off a shop that shows nothing",
      "paid",
      "",
      "recorded",
      { quotes: quoted },
      "update_quotes",
    ],
    ["they are decided when they are due", "paid", "", "recorded", { quotes: undecided(0) }, "update_quotes"],
    ["and not before", "paid", "", "recorded", { quotes: undecided(1) }, "nothing"],
    [
      "a paused account keeps nothing of the shop",
      "paid",
      "pending",
      "none",
      { ...shop, skips: ["insurer"] },
      "show_cover",
    ],
    [
      "nor does an unknown outcome",
      "paid",
      "unknown active",
      "none",
      { ...shop, skips: ["insurer"] },
      "fulfil",
    ],
    [
      "a busy shop waits with all of it",
      "paid",
      "active",
      "recorded",
      { ...shop, skips: ["shop"] },
      "nothing",
    ],
    ["what is done is left out", "paid", "active", "recorded", { ...shop, skips: ["fulfil"] }, "show_cover"],
    ["until all is", "paid", "active", "recorded", { ...shop, skips: ["fulfil", "show_cover"] }, "nothing"],
    ["tags come last", "paid", "active", "recorded", { tagging: "kept" }, "tag"],
    [
      "and are not written by an app that may not",
      "paid",
      "active",
      "recorded",
      { tagging: "none" },
      "nothing",
    ],
    ["an order without insurance gets none", "paid", "", "recorded", { tagging: "kept" }, "nothing"],
  ];
  it.each(shopRows)("%s: %s, [%s]", (_what, status, items, salesRecord, changes, expected) => {
    expect(inWords(nextStep(situation(status, items, salesRecord, changes)))).toBe(expected);
  });

  it.each([
    ["once all are created", "paid", "active active", "mail_contracts 1 2"],
    ["each once", "paid", "active@ active", "mail_contracts 2"],
    ["not while one is being created elsewhere", "paid", "active unknown", "nothing"],
    ["not while one waits for its account", "paid", "active pending", "nothing"],
    ["not those that wait for a person", "paid", "active rejected", "mail_contracts 1"],
    ["not those that end", "paid", "active-", "nothing"],
    ["not of a cancelled order", "paid cancelled", "active", "nothing"],
  ])("mails contracts %s: %s, [%s]", (_what, status, items, expected) => {
    const skips = ["insurer"] as const;
    const mailed = situation(status, items, "recorded", { skips, mailsContracts: true });
    expect(inWords(nextStep(mailed))).toBe(expected);
    expect(inWords(nextStep({ ...mailed, mailsContracts: false }))).toBe("nothing");
  });

  it("mails no contract of long ago, where mail was off then", () => {
    const mailed = situation("paid", "active", "recorded", { mailsContracts: true });
    expect(nextStep({ ...mailed, now: at(24 * 30 - 1) }).do).toBe("mail_contracts");
    expect(nextStep({ ...mailed, now: at(24 * 30) }).do).toBe("nothing");
  });

  it.each([
    ["a contract in force", "paid", "active", null, "start_flows 1"],
    ["each state once", "paid", "active", "active", "nothing"],
    ["what a person has to settle", "paid", "checked refused", null, "start_flows 1 2"],
    ["that it is settled", "paid", "active", "attention", "start_flows 1"],
    ["an ended contract", "paid cancelled", "ended", "active", "start_flows 1"],
    ["nothing of one that never was", "paid cancelled", "pending", null, "nothing"],
    ["nothing of what is on its way", "paid", "pending unknown", null, "nothing"],
  ] as const)("tells workflows %s: %s, [%s], told %s", (_what, status, items, flowState, expected) => {
    const salesRecord = status === "paid" ? "recorded" : "cancelled";
    const told = situation(status, items, salesRecord, { skips: ["insurer"], isInstalled: true });
    const state = { ...told, order: withItems(told.order, (item) => ({ ...item, flowState })) };
    expect(inWords(nextStep(state))).toBe(expected);
    expect(inWords(nextStep({ ...state, isInstalled: false }))).toBe("nothing");
    expect(inWords(nextStep({ ...state, now: at(24) }))).toBe("nothing");
  });

  it("is due again later, at least once a day, the longer a line could not be fulfilled", () => {
    const held = situation("paid", "active", "recorded", shop);
    const dueIn = (hours: number) => {
      const order = withItems(held.order, (item) => ({ ...item, insuredAt: at(-hours) }));
      return ((nextDueAt({ ...held, order })?.getTime() ?? 0) - NOW.getTime()) / HOUR_MS;
    };
    expect([1, 100, 1_000].map(dueIn)).toEqual([1, 10, 24]);
  });

  const times: [what: string, items: string, Shop, Date | null][] = [
    ["never, where nothing is left", "active!", shop, null],
    ["in an hour, where a line could not be fulfilled", "active", shop, at(1)],
    ["never, where the merchant fulfils it", "active", {}, null],
    ["when its quotes are to be decided", "", { quotes: undecided(24) }, at(24)],
    ["when its quotes are to be searched for", "", { quotes: { ...quoted, searchAt: at(3) } }, at(3)],
    ["at the first of these", "active", { ...shop, quotes: undecided(24) }, at(1)],
  ];
  it.each(times)("is due again %s", (_what, items, changes, expected) => {
    expect(nextDueAt(situation("paid", items, "recorded", changes))).toEqual(expected);
  });
});

const withItems = (order: Order, change: (item: Item) => Item): Order => ({
  ...order,
  items: order.items.map(change),
});

describe("the items whose lines are fulfilled", () => {
  const fulfilled = (told: Partial<Told>, fulfilsPlans: OrderSituation["fulfilsPlans"] = "with_goods") => {
    const order = toldOrder({ status: "paid", items: "", salesRecord: "recorded", ...told });
    return itemsToFulfil({ fulfilsPlans, order, now: NOW }).map(({ number }) => number);
  };
  const line = (lineId: string, fulfilledItems: number, requiresShipping = true) => ({
    lineId,
    fulfilled: fulfilledItems,
    requiresShipping,
  });

  it.each([
    ["nothing before a product is sent", [line("phone", 0)], ["phone", "phone"], []],
    ["as many as items of their product were sent", [line("phone", 1)], ["phone", "phone"], [1]],
    ["each with its own product", [line("phone", 0), line("camera", 1)], ["phone", "camera"], [2]],
    ["all where nothing is shipped", [line("phone", 0, false)], ["phone", "phone"], [1, 2]],
    ["none where another product is shipped", [line("game", 0, false), line("phone", 0)], ["game"], []],
    ["one of no known product once anything is sent", [line("phone", 1)], [null], [1]],
    ["one of no known product not before", [line("phone", 0)], [null], []],
  ])("with the goods: %s", (_what, goods, insured, expected) => {
    expect(fulfilled({ items: insured.map(() => "active").join(" "), goods, insured })).toEqual(expected);
  });

  const halfMinor = PREMIUM_MINOR / 2;
  it.each([
    ["whose premium was paid back without its line", { items: "ended~", more: [money(PREMIUM_MINOR)] }, [1]],
    ["whose premium the merchant keeps", { items: "ended~$" }, [1]],
    ["that never came into being", { items: "refused~", more: [money(PREMIUM_MINOR)] }, [1]],
    ["but not while its premium is open", { items: "ended~" }, []],
    ["nor while a part of it is", { items: "ended~", more: [money(halfMinor)] }, []],
    ["nor once it left the order", { items: "ended-$" }, []],
    ["nor of a cancelled order", { status: "paid cancelled", items: "ended~$" }, []],
    ["each of its own", { items: "active ended~$ ended~" }, [1, 2]],
  ])("are those of ended insurance %s", (_what, told, expected) => {
    expect(fulfilled({ ...told, goods: [line("phone", 1)] })).toEqual(expected);
    expect(fulfilled(told, "at_once")).toEqual(expected);
    // Before anything is sent the order can still be cancelled.
    expect(fulfilled(told)).toEqual([]);
    expect(fulfilled({ ...told, goods: [line("phone", 1)] }, "never")).toEqual([]);
  });
});

describe("a list without the contract", () => {
  it("is conclusive once the insurer had all the time, from its answer, else from the request", () => {
    const item = { lineId: "plan", number: 1 };
    const conclusive = (items: string, more: BookEvent[] = []) => {
      const [first] = toldOrder({ status: "paid", items, salesRecord: "none", more }).items;
      return first && conclusiveAt(first, 120);
    };
    expect(conclusive("unknown")).toEqual(after(120));
    // Its worker is gone: the request may still be on its way.
    expect(conclusive("creating")).toEqual(after(120));
    // Nothing was sent.
    expect(conclusive("pending")).toEqual(new Date(0));
    expect(conclusive("pending", [{ type: "doubted", items: [item], why: "restored" }])).toEqual(NOW);
  });
});
