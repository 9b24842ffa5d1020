import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differenceKinds } from "#app/settlement/difference.ts";
import { ownPointsOfSale } from "#app/settlement/point-of-sale.ts";
import { settle } from "#app/settlement/settlement.ts";
import type { Movement } from "#app/settlement/settlement-facts.ts";
import { agreedCase, commissionOf, factsOf, sowIn, sowings, sownCase } from "./made-month.ts";

const CONTRACTS = 10_000;
const indexes = Array.from({ length: CONTRACTS }, (_, index) => index);

const found = (...[cases, changes]: Parameters<typeof factsOf>) =>
  settle(factsOf(cases, changes)).differences.map(({ kind, contractId }) => `${kind} ${contractId}`);

/** An annual contract in force, on which both sides agree. */
const agreed = agreedCase(0);
const { contract, sale } = agreed;
if (contract === null || sale === null) throw new Error("An agreed case has both sides");

describe("the differences of a month", () => {
  it("are all found and none is invented, among 10,000 contracts", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(CONTRACTS - 1), { minLength: sowings.length, maxLength: 200 }),
        (places) => {
          const sown = new Map(places.map((place, order) => [place, sowings[order % sowings.length]]));
          const cases = indexes.map((index) => {
            const sowing = sown.get(index);
            return { kind: sowing?.kind, each: sowing ? sowIn(sowing, index) : agreedCase(index) };
          });
          const expected = cases.flatMap(({ kind, each }) =>
            kind === undefined ? [] : [`${kind} ${each.contract?.contractId ?? each.sale?.saleId ?? ""}`],
          );
          expect(found(cases.map(({ each }) => each)).toSorted()).toEqual(expected.toSorted());
        },
      ),
      { numRuns: 10 },
    );
  });

  it.each(differenceKinds)("of the kind %s name contract, amount, day and what both sides have", (kind) => {
    const [difference, ...others] = settle(factsOf([sownCase(kind, 0)])).differences;
    expect(others).toEqual([]);
    expect(difference).toMatchObject({
      kind,
      currency: "EUR",
      day: expect.stringMatching(/^2026-1\d-\d\d$/) as string,
    });
    const isSilent = ["commission_twice", "cancelled_only_there"].includes(kind);
    if (!isSilent) expect(difference?.here ?? difference?.there ?? kind).toBeTruthy();
  });

  it("are none where a fact is younger than what was imported", () => {
    const insurer = (readOn: string) => {
      const facts = factsOf([sownCase("missing_there", 0)]);
      return facts.insurer && { ...facts.insurer, readOn: () => readOn };
    };
    const cases = [sownCase("missing_there", 0)];
    const on = cases[0]?.contract?.begunOn ?? "";
    expect(found(cases, { insurer: insurer(on) })).toEqual([]);
    expect(found(cases, { insurer: insurer("2026-12-20") })).toHaveLength(1);
    const unpaid = [sownCase("commission_missing", 1)];
    const neverRead = factsOf(unpaid).insurer;
    expect(found(unpaid)).toEqual(["commission_missing CT-1"]);
    expect(found(unpaid, { insurer: neverRead && { ...neverRead, readOn: () => "" } })).toEqual([]);
  });

  it("name what ended here alone in the month in which its contract came into force after that", () => {
    const [first] = agreed.movements;
    if (first === undefined) throw new Error("An agreed case has movements");
    const begun = (happenedOn: string): Movement => ({ ...first, kind: "contract", happenedOn });
    const ended = (endedOn: string) => ({ ...contract, endedOn });
    const foundIn = (month: string, endedOn: string, movements: Movement[]) =>
      settle(factsOf([{ ...agreed, contract: ended(endedOn), movements }], { month }))
        .differences.filter(({ kind }) => kind === "cancelled_only_here")
        .map(({ day }) => day);
    // In force again, and begun a day after the order ended.
    expect(foundIn("2026-12", "2026-10-10", [begun("2026-12-05")])).toEqual(["2026-12-05"]);
    expect(foundIn("2026-11", "2026-10-31", [begun("2026-11-01")])).toEqual(["2026-11-01"]);
    expect(foundIn("2026-10", "2026-11-04", [begun("2026-10-05")])).toEqual([]);
    expect(foundIn("2026-11", "2026-11-04", [])).toEqual(["2026-11-04"]);
  });

  it("leave out sales before Parasol, of other points of sale and of quotes", () => {
    const cases = [sownCase("missing_here", 0)];
    expect(found(cases, { since: "2026-11-01" })).toEqual([]);
    expect(found(cases, { storeIds: ["9"] })).toEqual([]);
    expect(found(cases, { otherContracts: new Set([cases[0]?.sale?.saleId ?? ""]) })).toEqual([]);
    expect(found(cases, { isOwnStore: false })).toEqual([]);
  });

  it("tell without the insurer's figures what its contracts tell", () => {
    const without = { insurer: null };
    expect(found([agreed], without)).toEqual([]);
    expect(found([{ ...agreed, contract: { ...contract, status: "missing" } }], without)).toEqual([
      "missing_there CT-0",
    ]);
    expect(
      found(
        [{ ...agreed, contract: { ...contract, status: "cancelled", endedThereOn: "2026-10-09" } }],
        without,
      ),
    ).toEqual(["cancelled_only_there CT-0"]);
    expect(found([{ ...agreed, contract: { ...contract, endedOn: contract.begunOn } }], without)).toEqual([
      "cancelled_only_here CT-0",
    ]);
    const shownPrice = { minor: contract.offerPriceMinor + 1, currency: "EUR" };
    expect(found([{ ...agreed, contract: { ...contract, shownPrice } }], without)).toEqual(["price CT-0"]);
    expect(found([sownCase("refunded_without_cancellation", 0)], without)).toHaveLength(1);
  });

  it("name a sale without a contract here in the shop's currency", () => {
    const cases = [sownCase("missing_here", 0)];
    const price = (currency: string) =>
      settle(factsOf(cases, { currency })).differences.map(({ amountMinor, there }) => ({
        amountMinor,
        there,
      }));
    const there = (minor: number, currency: string) => [{ amountMinor: minor, there: { minor, currency } }];
    expect(price("CHF")).toEqual(there(1_990, "CHF"));
    expect(price("JPY")).toEqual(there(20, "JPY"));
  });

  it("are none in a currency without decimals whose price is the same", () => {
    const yen = { ...contract, currency: "JPY", offerPriceMinor: 1_990 };
    const movements = agreed.movements.map((each): Movement => ({ ...each, currency: "JPY" }));
    const inYen = { ...sale, priceMinor: 199_000 };
    expect(found([{ ...agreed, contract: yen, movements, sale: inYen }])).toEqual([]);
  });
});

describe("the commission rules of the specification", () => {
  it("1 of sales: an annual sale has the whole commission as FRONT and no AIR", () => {
    expect(found([sownCase("sale_rule_1", 0)])).toEqual(["sale_rule_1 CT-0"]);
    const without = { ...sale, frontMinor: null };
    expect(found([{ ...agreed, sale: without, commissions: [] }])).toEqual(["sale_rule_1 CT-0"]);
  });

  it("2 of sales: with an advance, the monthly AIR is that of the sale", () => {
    const case2 = agreedCase(1);
    if (case2.sale === null) throw new Error("An agreed case has a sale");
    const old = { ...case2.sale, date: "2025-10-02" };
    const air = { ...commissionOf(old, "air"), date: "2026-10-03" };
    const begunBefore = { ...case2, movements: [], sale: old };
    expect(found([{ ...begunBefore, commissions: [commissionOf(old, "front"), air] }])).toEqual([]);
    expect(
      found([{ ...begunBefore, commissions: [commissionOf(old, "front"), { ...air, amountMinor: 99 }] }]),
    ).toEqual(["sale_rule_2 CT-1"]);
    const ofOneYear = sownCase("sale_rule_2", 1);
    const oneYear = ofOneYear.contract && { ...ofOneYear.contract, termMonths: 12 };
    expect(found([{ ...ofOneYear, contract: oneYear }])).toEqual([]);
  });

  it("3 of sales: without an advance, AIR is paid from year 1", () => {
    const case3 = agreedCase(2);
    if (case3.sale === null) throw new Error("An agreed case has a sale");
    expect(found([case3])).toEqual([]);
    expect(found([{ ...case3, sale: { ...case3.sale, airMinor: null }, commissions: [] }])).toEqual([
      "sale_rule_3 CT-2",
    ]);
  });

  it("1 of commissions: FRONT of a monthly contract is its advance, if one is configured", () => {
    expect(found([sownCase("commission_rule_1", 2)])).toEqual(["commission_rule_1 CT-2"]);
    const case2 = agreedCase(1);
    const other = case2.commissions.map((each) => ({ ...each, amountMinor: 1_100 }));
    expect(found([{ ...case2, commissions: other }])).toEqual(["commission_rule_1 CT-1"]);
  });

  it("2 of commissions: FRONT of an annual contract is the whole commission", () => {
    expect(found([sownCase("commission_rule_2", 0)])).toEqual(["commission_rule_2 CT-0"]);
  });

  it("3 of commissions: AIR of a monthly contract with an advance begins in year 2", () => {
    expect(found([sownCase("commission_rule_3", 1)])).toEqual(["commission_rule_3 CT-1"]);
  });

  it("4 of commissions: an annual contract never has AIR", () => {
    expect(found([sownCase("commission_rule_4", 0)])).toEqual(["commission_rule_4 CT-0"]);
  });

  it("pay each collection once; what was taken back may be paid again", () => {
    const front = commissionOf(sale, "front");
    const back = { ...front, commissionId: "back", billingType: "refunded" };
    const again = { ...front, commissionId: "z-again" };
    expect(found([{ ...agreed, commissions: [front, again] }])).toEqual(["commission_twice CT-0"]);
    const nextDay = (commission: typeof front) => ({ ...commission, date: "2026-10-05" });
    expect(found([{ ...agreed, commissions: [front, back, nextDay(again)] }])).toEqual([]);
    const monthly = agreedCase(2);
    const next = monthly.commissions.map((each) => ({ ...each, commissionId: "next", date: "2026-11-04" }));
    expect(found([{ ...monthly, commissions: [...monthly.commissions, ...next] }])).toEqual([]);
  });

  it("pay AIR twice again after the first time was taken back", () => {
    const monthly = agreedCase(2);
    if (monthly.sale === null) throw new Error("An agreed case has a sale");
    const air = commissionOf({ ...monthly.sale, date: "2026-07-10" }, "air");
    const on = (date: string, billingType = "collected") => ({
      ...air,
      date,
      billingType,
      commissionId: date + billingType,
    });
    const commissions = [
      ...["2026-07-10", "2026-08-10", "2026-08-20", "2026-09-10", "2026-10-10", "2026-10-20"].map((date) =>
        on(date),
      ),
      on("2026-08-25", "refunded"),
    ];
    const old = { ...monthly, movements: [], commissions, sale: { ...monthly.sale, date: "2026-07-10" } };
    const readOn = () => "2026-11-01";
    const { insurer } = factsOf([old]);
    expect(found([old], { insurer: insurer && { ...insurer, readOn } })).toEqual(["commission_twice CT-2"]);
  });

  it("miss the FRONT of a sale that was paid AIR alone", () => {
    const advance = agreedCase(1);
    if (advance.sale === null) throw new Error("An agreed case has a sale");
    expect(found([{ ...advance, commissions: [commissionOf(advance.sale, "air")] }])).toEqual([
      "commission_missing CT-1",
      "commission_rule_3 CT-1",
    ]);
  });

  it("hold for a commission of a closed month that a later month counts, in both months", () => {
    const again = { ...commissionOf(sale, "front"), commissionId: "z-again" };
    const both = [{ ...agreed, movements: [], commissions: [...agreed.commissions, again] }];
    expect(found(both)).toEqual(["commission_twice CT-0"]);
    const { insurer } = factsOf(both, { month: "2026-11" });
    const counted = [{ commission: again, amountMinor: again.amountMinor, foundOn: "2026-11-03" }];
    const later = (changes: Partial<NonNullable<typeof insurer>>) =>
      found(both, { month: "2026-11", insurer: insurer && { ...insurer, ...changes } });
    expect(later({ counted })).toEqual(["commission_twice CT-0"]);
    expect(later({ counted: [] })).toEqual([]);
  });
});

describe("this shop among the points of sale", () => {
  const store = (storeId: string, storeExternalId = "") => ({ storeId, store: storeId, storeExternalId });
  const stores = [store("1", "WEB"), store("2"), store("3")];

  it("is what the merchant chose, also if the connected store is another one", () => {
    const chosen = (...ids: string[]) => ownPointsOfSale(stores, ids, "1", null);
    expect(chosen("3", "2")).toEqual({ storeIds: ["2", "3"], reason: "chosen" });
    // The insurer does not show 9 any more: its commissions may be under another number.
    expect(chosen("9")).toBeNull();
    expect(chosen("3", "9")).toBeNull();
  });

  it("is without a choice the connected store, by either of its numbers", () => {
    expect(ownPointsOfSale(stores, [], "2", null)).toEqual({ storeIds: ["2"], reason: "connected" });
    expect(ownPointsOfSale(stores, [], "WEB", null)).toEqual({ storeIds: ["1"], reason: "connected" });
  });

  it("is not the connected store if its number fits several", () => {
    const both = [store("7", "12"), store("12", "3")];
    expect(ownPointsOfSale(both, [], "12", null)).toBeNull();
    expect(ownPointsOfSale([store("7", "WEB"), store("8", "WEB")], [], "WEB", null)).toBeNull();
    expect(ownPointsOfSale([store("7", "7"), store("8")], [], "7", null)?.storeIds).toEqual(["7"]);
  });

  it("is no question where the insurer shows one alone that sold its contracts", () => {
    const only = (mostSelling: string | null) => ownPointsOfSale([store("2")], [], "other", mostSelling);
    expect(only("2")).toEqual({ storeIds: ["2"], reason: "only" });
    // Another shop of the organisation, while this one has sold nothing.
    expect(only(null)).toBeNull();
  });

  it("is not guessed among several", () => {
    expect(ownPointsOfSale(stores, [], "other", "2")).toBeNull();
    expect(ownPointsOfSale([], [], "other", null)).toBeNull();
  });

  it("decides what is booked on a wrong one", () => {
    const cases = [sownCase("wrong_store", 0)];
    expect(found(cases)).toEqual(["wrong_store CT-0"]);
    expect(found(cases, { storeIds: ["7", "8"] })).toEqual([]);
    expect(found([agreedCase(3)], { storeIds: ["7"] })).toEqual(["wrong_store CT-3", "wrong_store CT-3"]);
  });

  it("has unknown commissions if it is not known, and they are in no balance", () => {
    const { totals } = settle(factsOf([agreed], { storeIds: [] }));
    expect(totals.commissions).toBeNull();
    expect(totals.balances).toEqual([{ currency: "EUR", amountMinor: contract.offerPriceMinor }]);
  });
});

describe("the totals of a month", () => {
  it("are the sums of its movements and commissions, and the balance is what is owed less what was earned", () => {
    const cases = indexes.slice(0, 500).map(agreedCase);
    const facts = factsOf(cases);
    const { premiums, commissions, balances } = settle(facts).totals;
    const [euros] = premiums;
    const sum = (kind: string) =>
      facts.movements
        .filter((each) => each.kind === kind)
        .reduce((total, each) => total + each.amountMinor, 0);
    expect(euros).toMatchObject({
      premiumMinor: sum("premium"),
      collectedMinor: sum("premium") + sum("discount") + sum("refund"),
      owedMinor: sum("contract") + sum("contract_end"),
    });
    expect(commissions?.frontRefundedMinor).toBeLessThan(0);
    expect(balances).toEqual([
      { currency: "EUR", amountMinor: (euros?.owedMinor ?? 0) - (commissions?.earnedMinor ?? 0) },
    ]);
  });

  it("are kept apart by currency, and commissions in euros alone", () => {
    const francs = agreed.movements.map((each): Movement => ({ ...each, currency: "CHF" }));
    const { premiums, balances } = settle(
      factsOf([agreed], { movements: [...agreed.movements, ...francs] }),
    ).totals;
    expect(premiums.map(({ currency }) => currency)).toEqual(["CHF", "EUR"]);
    expect(balances).toEqual([
      { currency: "CHF", amountMinor: contract.offerPriceMinor },
      { currency: "EUR", amountMinor: contract.offerPriceMinor - (sale.frontMinor ?? 0) },
    ]);
  });
});
