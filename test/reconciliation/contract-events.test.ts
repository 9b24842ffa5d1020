import { planStanding } from "#app/insurance/status-words.ts";
import { describe, expect, it } from "vitest";
import { type BookEvent, type EventOf, keyOf, type KeptEvent } from "#app/orders/book/events.ts";
import { readBook } from "#app/orders/book/evolve.ts";
import { soldPlan } from "#test/orders/samples.ts";
import { contractEvents, type ContractToCompare } from "#app/reconciliation/contract-events.ts";

const boughtAt = new Date("2026-11-26T10:00:00Z");

const sold = (number: number, referenceId = "A") => soldPlan({ item: { lineId: "2", number }, referenceId });
const { offerPriceMinor, currency } = sold(1);
const requested = (number: number): BookEvent => ({
  type: "requested",
  item: { lineId: "2", number },
  attempt: 1,
});
const refused: EventOf<"answered"> = {
  type: "answered",
  item: { lineId: "2", number: 1 },
  attempt: 1,
  outcome: "refused",
  contractId: null,
  activatesOn: null,
  expiresOn: null,
  message: "No",
};
const insured = (number: number, contractId = `CT-${number}`): EventOf<"contract"> => ({
  type: "contract",
  contractId,
  item: { lineId: "2", number },
  status: "active",
  statusText: "active",
  referenceId: "A",
  activatesOn: "2026-11-26",
  expiresOn: "2027-11-26",
});
const stray: EventOf<"contract"> = { ...insured(1), item: null };

const orderOf = (events: readonly BookEvent[]) =>
  readBook(
    events.map((event, index): KeptEvent => ({
      ...event,
      key: keyOf(event, index),
      at: new Date(boughtAt.getTime() + index),
    })),
  );

const shown = (id: string, status = "active", offerReferenceId = "A"): ContractToCompare => ({
  id,
  status,
  standing: planStanding(status),
  offerReferenceId,
  priceMinor: offerPriceMinor,
  currencyCode: currency,
});

const compare = (
  events: readonly BookEvent[],
  contracts: readonly ContractToCompare[],
  { today = "2026-11-28", since = new Date("2026-11-28"), unreadable = new Set<string>() } = {},
) =>
  contractEvents(orderOf(events), { contracts, today, since, unreadable }).map((event) =>
    event.type === "contract"
      ? [event.contractId, event.item?.number ?? null, event.status, event.statusText]
      : event.type === "doubted"
        ? [event.why, ...event.items.map(({ number }) => number)]
        : event,
  );

describe("the contract of an item", () => {
  const book = [sold(1), requested(1), insured(1)];

  it("adds nothing where the insurer shows it as the book has it", () => {
    expect(compare(book, [shown("CT-1")])).toEqual([]);
  });

  it("is noted as the insurer shows it, once", () => {
    expect(compare(book, [shown("CT-1", "cancelled")])).toEqual([["CT-1", 1, "cancelled", "cancelled"]]);
    expect(compare(book, [shown("CT-1", "suspended")])).toEqual([["CT-1", 1, "other", "suspended"]]);
    expect(compare(book, [])).toEqual([["CT-1", 1, "missing", ""]]);
    const inDoubt: BookEvent = { ...stray, item: { lineId: "2", number: 1 }, status: "missing" };
    expect(compare([...book, inDoubt], [])).toEqual([]);
    expect(compare([...book, inDoubt], [shown("CT-1")])).toEqual([["CT-1", 1, "active", "active"]]);
  });

  it("is in force again where its cancellation was lost", () => {
    const ended: BookEvent = { ...stray, item: { lineId: "2", number: 1 }, status: "cancelled" };
    expect(compare([...book, ended], [])).toEqual([]);
    expect(compare([...book, ended], [shown("CT-1")])).toEqual([["CT-1", 1, "active", "active"]]);
  });

  it("is not compared after its last day, whatever the insurer calls it", () => {
    for (const contracts of [[], [shown("CT-1", "cancelled")], [shown("CT-1", "expired")]])
      expect(compare(book, contracts, { today: "2027-11-27" })).toEqual([]);
  });

  it("is left to the next comparison where it came while the insurer was read, or cannot be read", () => {
    expect(compare(book, [], { since: boughtAt })).toEqual([]);
    expect(compare(book, [], { unreadable: new Set(["CT-1"]) })).toEqual([]);
  });
});

describe("a contract of no item", () => {
  it("may be that of an item that waits for one of its reference, each item once", () => {
    const book = [sold(1), requested(1), refused, sold(2)];
    expect(compare(book, [shown("CT-1"), shown("CT-2"), shown("CT-3")])).toEqual([
      ["CT-3", null, "active", "active"],
      ["stray_contract", 1, 2],
    ]);
    expect(compare([sold(1, "B")], [shown("CT-1")])).toEqual([["CT-1", null, "active", "active"]]);
  });

  it("may be that of an item whose contract was unclear, unless it is unclear itself", () => {
    const book: BookEvent[] = [
      sold(1),
      requested(1),
      {
        type: "answered",
        item: { lineId: "2", number: 1 },
        attempt: 1,
        outcome: "doubtful",
        contractId: null,
        activatesOn: null,
        expiresOn: null,
        message: "CT-1 (rejected)",
      },
      { type: "looked_up", item: { lineId: "2", number: 1 }, isConclusive: true, problem: null },
    ];
    expect(compare(book, [shown("CT-1")])).toEqual([["stray_contract", 1]]);
    expect(compare(book, [shown("CT-1", "rejected")])).toEqual([]);
    expect(compare(book, [shown("CT-1", "rejected", "B")])).toEqual([["CT-1", null, "other", "rejected"]]);
  });

  it("is noted once, and again when it is cancelled", () => {
    expect(compare([sold(1), insured(1, "CT-9"), stray], [shown("CT-9"), shown("CT-1")])).toEqual([]);
    expect(compare([stray], [shown("CT-1", "cancelled")])).toEqual([
      ["CT-1", null, "cancelled", "cancelled"],
    ]);
    expect(compare([], [shown("CT-1", "cancelled")])).toEqual([]);
  });

  it("of another price is noted with it, once", () => {
    const dear = { ...shown("CT-1"), priceMinor: offerPriceMinor + 100 };
    const noted = (events: readonly BookEvent[], contracts: readonly ContractToCompare[]) =>
      contractEvents(orderOf(events), {
        contracts,
        today: "2026-11-28",
        since: new Date("2026-11-28"),
        unreadable: new Set<string>(),
      });
    const found = noted([sold(1), insured(1)], [dear]);
    expect(found).toMatchObject([{ contractId: "CT-1", price: { minor: offerPriceMinor + 100, currency } }]);
    expect(noted([sold(1), insured(1), ...found], [dear])).toEqual([]);
    expect(noted([sold(1), insured(1), ...found], [shown("CT-1")])).toMatchObject([
      { price: { minor: offerPriceMinor, currency } },
    ]);
    expect(noted([sold(1), insured(1)], [{ ...shown("CT-1"), currencyCode: "CHF" }])).toMatchObject([
      { price: { currency: "CHF" } },
    ]);
  });

  it("is left alone while a request is under way", () => {
    expect(compare([sold(1), requested(1)], [shown("CT-1")])).toEqual([]);
  });
});
