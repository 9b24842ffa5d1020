import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CoveredItem, LISTED_ITEMS, orderCover } from "#app/issuing/shop-steps.ts";
import { itemStates } from "#app/orders/book/item-states.ts";
import { readCover } from "../../extensions/cover/src/cover.ts";

const item: CoveredItem = {
  state: "active",
  wanted: true,
  contractId: "C-1",
  planTitle: "Casse et vol, 24 mois",
  insuredTitle: "Téléphone",
  expiresOn: "2028-11-22",
  insuredAt: new Date("2026-11-22T14:02:13Z"),
  conditions: "https://insurer.example/cg.pdf",
  ipid: "https://insurer.example/ipid.pdf",
};
const order = {
  cancelledAt: null,
  environment: "production" as const,
  app: "https://app.example",
  claims: "https://app.example/claims/1",
  withdrawal: { url: "https://app.example/withdrawals/1", days: 14, timezone: "Europe/Paris" },
};

describe("the cover shown for an item", () => {
  it.each([
    ["pending", null, "waiting"],
    ["creating", null, "waiting"],
    ["unknown", null, "waiting"],
    ["active", "C-1", "active"],
    ["cancelling", "C-1", "ending"],
    ["cancelled", "C-1", "ended"],
    ["cancelled", null, "ended"],
    ["refused", null, "attention"],
    ["attention", null, "attention"],
    // A contract that could not be cancelled is in force until a person has ended it.
    ["attention", "C-1", "ending"],
  ] as const)("that is %s with the contract %s is %s", (state, contractId, shown) => {
    expect(orderCover(order, [{ ...item, state, contractId }]).items[0]?.state).toBe(shown);
  });

  it("names contract, dates and documents only while there is a contract", () => {
    expect(orderCover(order, [item])).toEqual({
      isTest: false,
      app: "https://app.example",
      claims: "https://app.example/claims/1",
      // The fourteenth day is Sunday, 6 December: the Monday after is the last.
      withdrawal: {
        url: "https://app.example/withdrawals/1",
        until: "2026-12-07T23:00:00.000Z",
      },
      more: 0,
      items: [
        {
          product: "Téléphone",
          plan: "Casse et vol, 24 mois",
          state: "active",
          contract: "C-1",
          since: "2026-11-22T14:02:13.000Z",
          until: "2028-11-22",
          conditions: "https://insurer.example/cg.pdf",
          ipid: "https://insurer.example/ipid.pdf",
        },
      ],
    });
    expect(orderCover(order, [{ ...item, contractId: null, state: "pending" }]).items[0]).toMatchObject({
      contract: null,
      since: null,
      until: null,
    });
  });

  it("has no way to withdraw without a contract in force, for a cancelled order, or where the merchant offers none", () => {
    const none = [
      orderCover(order, [{ ...item, insuredAt: null, contractId: null, state: "pending" }]),
      orderCover(order, [{ ...item, wanted: false }]),
      orderCover(order, [{ ...item, state: "cancelled" }]),
      orderCover({ ...order, cancelledAt: new Date() }, [item]),
      orderCover({ ...order, withdrawal: { ...order.withdrawal, days: 0 } }, [item]),
    ];
    expect(none.map(({ withdrawal }) => withdrawal)).toEqual([null, null, null, null, null]);
  });

  it("says that a contract of the test environment insures nothing", () => {
    expect(orderCover({ ...order, environment: "test" }, [item]).isTest).toBe(true);
  });

  it("lists the first items of a large order, with titles of a bounded length", () => {
    const many = orderCover(
      order,
      Array.from({ length: LISTED_ITEMS + 3 }, () => ({ ...item, planTitle: "x".repeat(5_000) })),
    );
    expect(many.items).toHaveLength(LISTED_ITEMS);
    expect(many.more).toBe(3);
    expect(JSON.stringify(many).length).toBeLessThan(10_000);
  });
});

describe("what the extension reads", () => {
  it("is what the app wrote", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...itemStates),
        fc.option(fc.string({ minLength: 1 })),
        fc.option(fc.string({ minLength: 1, maxLength: 120 })),
        (state, contractId, insuredTitle) => {
          const cover = orderCover(order, [{ ...item, state, contractId, insuredTitle }]);
          expect(readCover(JSON.stringify(cover))).toEqual(cover);
        },
      ),
    );
  });

  it("is nothing where there is no cover, and never breaks the page", () => {
    for (const value of [
      undefined,
      null,
      7,
      "",
      "{",
      "null",
      "[]",
      '{"items":[]}',
      '{"items":[{"plan":"x"}]}',
    ])
      expect(readCover(value)).toBeNull();
    fc.assert(
      fc.property(fc.json(), (value) => {
        readCover(value);
      }),
    );
  });

  it("has no link that runs a script", () => {
    const cover = orderCover(order, [
      { ...item, conditions: "javascript:alert(1)", ipid: "data:text/html,x" },
    ]);
    expect(readCover(JSON.stringify(cover))?.items[0]).toMatchObject({ conditions: null, ipid: null });
  });
});
