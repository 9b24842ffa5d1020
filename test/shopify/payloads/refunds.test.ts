/** Refunds in webhooks: in an order's payload, and alone. */
import { describe, expect, it, test } from "vitest";
import type { ShopRefund } from "#app/shopify/order.ts";
import { parseRefundPayload } from "#app/shopify/payloads/order-changes.ts";
import { parseOrderPayload } from "#app/shopify/payloads/orders.ts";
import { toShopRefund } from "#app/shopify/refunds.ts";

const set = (shop: string, paidIn: [amount: string, currency: string] = [shop, "EUR"]) => ({
  shop_money: { amount: shop, currency_code: "EUR" },
  presentment_money: { amount: paidIn[0], currency_code: paidIn[1] },
});
const accessory = {
  id: 1,
  line_item_id: 12,
  quantity: 1,
  subtotal: 25,
  subtotal_set: set("25.00"),
  total_tax: 4.17,
  total_tax_set: set("4.17"),
};
const payment = { kind: "refund", status: "success", amount: "83.90", currency: "EUR" };
const refund = {
  id: 900101,
  order_id: 1,
  created_at: "2026-11-28T10:00:00Z",
  refund_line_items: [accessory],
  refund_shipping_lines: [],
  order_adjustments: [{ kind: "refund_discrepancy", amount: "-58.90", tax_amount: "0.00" }],
  transactions: [payment],
};
const order = {
  id: 1,
  name: "#1001",
  created_at: "2026-11-20T11:00:00Z",
  updated_at: "2026-11-28T10:00:00Z",
  currency: "EUR",
  taxes_included: true,
  line_items: [],
};
const read: ShopRefund = {
  id: "900101",
  at: new Date("2026-11-28T10:00:00Z"),
  lines: [{ lineId: "12", quantity: 1, amountMinor: 2_500 }],
  moneyMinor: 8_390,
  currency: "EUR",
  status: "settled",
};

const ofOrder = (refunds: unknown, changes: object = {}) =>
  parseOrderPayload(JSON.stringify({ ...order, ...changes, refunds })).refunds;
const alone = (changes: object) =>
  parseRefundPayload(JSON.stringify({ ...refund, ...changes })).change?.refund;

describe("a refund", () => {
  it("of an item and a premium has both amounts, in an order's payload and alone", () => {
    expect(ofOrder([refund])).toEqual([read]);
    expect(alone({})).toEqual(read);
    // An amount without a set of currencies is in the shop's.
    const plain = { ...accessory, subtotal_set: undefined, total_tax_set: undefined };
    expect(alone({ refund_line_items: [plain] })).toEqual(read);
    expect(ofOrder([{ ...refund, refund_line_items: [plain] }])).toEqual([read]);
  });

  it("costs the tax, too, where prices do not include it", () => {
    const [added] = ofOrder([refund], { taxes_included: false });
    expect(added?.lines).toMatchObject([{ amountMinor: 2_917 }]);
    const shipping = { subtotal_amount_set: set("5.00"), tax_amount_set: set("1.00") };
    const refunds = [{ ...refund, refund_shipping_lines: [shipping] }];
    expect(ofOrder(refunds)).toMatchObject([{ moneyMinor: 7_890 }]);
    expect(ofOrder(refunds, { taxes_included: false })).toMatchObject([{ moneyMinor: 7_790 }]);
  });

  test.each<[name: string, payments: object[], moneyMinor: number, status: ShopRefund["status"]]>([
    ["without payment", [], 0, "settled"],
    ["pending", [{ status: "pending" }], 8_390, "pending"],
    ["of which the gateway says nothing yet", [{ status: "unknown" }], 8_390, "pending"],
    ["failed", [{ status: "failure" }], 0, "failed"],
    ["failed by an error", [{ status: "error" }], 0, "failed"],
    ["of an authorization that was voided", [{ kind: "void" }], 0, "failed"],
    ["in store credit", [{ gateway: "shopify_store_credit" }], 8_390, "settled"],
    ["partly on a gift card", [{ gateway: "gift_card", amount: "20.00" }, {}], 10_390, "settled"],
    ["partly pending", [{ amount: "20.00" }, { status: "pending" }], 10_390, "pending"],
    ["partly failed", [{ amount: "20.00" }, { status: "failure" }], 2_000, "settled"],
    ["beside a change of cash", [{}, { kind: "change", amount: "1.00" }], 8_390, "settled"],
  ])("%s", (_name, payments, moneyMinor, status) => {
    const transactions = payments.map((each) => ({ ...payment, ...each }));
    expect(alone({ transactions })).toMatchObject({ moneyMinor, status, currency: "EUR" });
  });

  it("is in the customer's currency if the payment is in that alone", () => {
    const refund_line_items = [{ ...accessory, subtotal_set: set("25.00", ["24.00", "CHF"]) }];
    const transactions = [{ ...payment, amount: "80.00", currency: "CHF" }];
    const inFrancs = { lines: [{ amountMinor: 2_400 }], moneyMinor: 8_000, currency: "CHF" };
    expect(alone({ refund_line_items, transactions })).toMatchObject(inFrancs);
    expect(ofOrder([{ ...refund, refund_line_items, transactions }])).toMatchObject([inFrancs]);
    expect(alone({ refund_line_items })).toMatchObject({ lines: [{ amountMinor: 2_500 }], currency: "EUR" });
    // The item has no amount in francs.
    expect(alone({ transactions })).toBeNull();
  });

  it("that cannot be read hides no other, and keeps the items that it removes", () => {
    const strange = [
      null,
      { ...refund, id: 1, created_at: "today" },
      { ...refund, id: 2, refund_line_items: [{ ...accessory, quantity: -1 }] },
      { ...refund, id: 3, transactions: [{ ...payment, amount: "99999999999999999" }] },
      { ...refund, id: 4, refund_line_items: [{ line_item_id: 12, quantity: 1 }] },
    ];
    expect(ofOrder([...strange, refund])).toEqual([read]);
    for (const refunds of [null, "none", undefined]) expect(ofOrder(refunds)).toEqual([]);
    const { change } = parseRefundPayload(JSON.stringify({ ...refund, ...strange[3] }));
    expect(change).toMatchObject({ removed: [{ lineId: "12", quantity: 1 }], refund: null });
  });

  it("is one, if a report lists it twice", () => {
    expect(ofOrder([{ ...refund, transactions: [{ ...payment, status: "pending" }] }, refund])).toEqual([
      read,
    ]);
  });

  it("of nothing is in the shop's currency, if that is known", () => {
    const nothing = { id: "1", at: read.at, lines: [], transactions: [], shipping: [] };
    expect(toShopRefund({ ...nothing, shopCurrency: null })).toBeNull();
    expect(toShopRefund({ ...nothing, shopCurrency: "EUR" })).toMatchObject({
      moneyMinor: 0,
      currency: "EUR",
    });
  });
});
