import { describe, expect, it } from "vitest";
import { ZodError } from "zod";
import { parsePlatformJson, UnreadablePayload } from "#app/shopify/payloads/payload.ts";
import {
  parseOrderDeletePayload,
  parseOrderEditPayload,
  parseRefundPayload,
} from "#app/shopify/payloads/order-changes.ts";
import { parseOrderPayload } from "#app/shopify/payloads/orders.ts";

const set = (shop: string, presentment: [string, string] | null = null) => ({
  shop_money: { amount: shop, currency_code: "EUR" },
  presentment_money: presentment
    ? { amount: presentment[0], currency_code: presentment[1] }
    : { amount: shop, currency_code: "EUR" },
});

const line = {
  id: 14712340000001,
  product_id: 8612340000001,
  variant_id: 45612340000001,
  title: "Téléphone",
  variant_title: "128 Go",
  name: "Téléphone - 128 Go",
  sku: "",
  quantity: 2,
  current_quantity: 1,
  price: "349.00",
  price_set: set("349.00"),
  total_discount: "0.00",
  properties: [{ name: "_parasol_pair", value: "p1" }],
  discount_allocations: [{ amount: "10.00", amount_set: set("10.00") }],
};

const order = {
  id: 5812340000001,
  name: "#1001",
  created_at: "2026-11-20T11:00:00+01:00",
  updated_at: "2026-11-20T11:00:05+01:00",
  processed_at: "2026-11-20T11:00:00+01:00",
  cancelled_at: null,
  currency: "EUR",
  financial_status: "paid",
  payment_gateway_names: ["bogus"],
  source_name: "web",
  email: "",
  contact_email: "ana@example.com",
  customer_locale: "fr-FR",
  phone: null,
  customer: null,
  billing_address: null,
  shipping_address: null,
  line_items: [line],
  a_field_of_tomorrow: { nested: [1, null] },
};

describe("an order webhook", () => {
  it("names for each line where its offer was seen in the cart", () => {
    const attribute = (value: string) => [{ name: "_parasol_offered", value }];
    const offered = (value: string) =>
      parseOrderPayload(
        JSON.stringify({
          ...order,
          note_attributes: attribute(value),
          line_items: [line],
        }),
      ).lines[0]?.properties["_parasol_offered"];
    expect(offered("11=mini_cart 45612340000001=cart")).toBe("cart");
    expect(offered("11=mini_cart 5612340000001=cart")).toBeUndefined();
  });

  it("is read, amounts in minor units, times as moments", () => {
    expect(parseOrderPayload(JSON.stringify(order))).toMatchObject({
      id: "5812340000001",
      createdAt: new Date("2026-11-20T10:00:00Z"),
      updatedAt: new Date("2026-11-20T10:00:05Z"),
      paid: true,
      cancelledAt: null,
      email: "ana@example.com",
      lines: [
        {
          id: "14712340000001",
          variantId: "45612340000001",
          quantity: 2,
          currentQuantity: 1,
          fulfilledQuantity: 0,
          requiresShipping: true,
          amounts: [{ currency: "EUR", unitPriceMinor: 34_900, discountsMinor: 1_000 }],
          properties: { _parasol_pair: "p1" },
        },
      ],
    });
  });

  it("keeps every digit of ids beyond 2^53", () => {
    const body = JSON.stringify(order)
      .replace("5812340000001", "9007199254740993")
      .replace("45612340000001", "90071992547409931234");
    const read = parseOrderPayload(body);
    expect([read.id, read.lines[0]?.variantId]).toEqual(["9007199254740993", "90071992547409931234"]);
  });

  it("keeps whole numbers that fit as numbers", () => {
    expect(parsePlatformJson('{"a":1,"b":9007199254740993,"c":1.5,"d":"9007199254740993"}')).toEqual({
      a: 1,
      b: "9007199254740993",
      c: 1.5,
      d: "9007199254740993",
    });
  });

  it("leaves out a tip, which sells nothing, and knows the lines that belong together", () => {
    const tip = { ...line, id: 2, tip_payment_gateway: "bogus" };
    const grouped = { ...line, id: 3, sales_line_item_group_id: 7 };
    const { lines } = parseOrderPayload(JSON.stringify({ ...order, line_items: [line, tip, grouped] }));
    expect(lines.map(({ id, groupId }) => [id, groupId])).toEqual([
      [String(line.id), null],
      ["3", "7"],
    ]);
  });

  it("knows a bundle, which is no line, from a line that others are nested under", () => {
    const bundle = { id: 7, title: "Pack", quantity: 1, product_id: 9, variant_id: 90 };
    const bundleOf = (line_item_groups: unknown) => {
      const line_items = [{ ...line, sales_line_item_group_id: 7 }];
      return parseOrderPayload(JSON.stringify({ ...order, line_items, line_item_groups })).lines[0]?.bundle;
    };
    const read = { id: "7", title: "Pack", quantity: 1, productId: "9", variantId: "90" };
    expect(bundleOf([null, { id: 6 }, bundle])).toEqual(read);
    expect(bundleOf([{ ...bundle, product_id: "?" }])).toEqual({ ...read, productId: null });
    for (const other of [{ variant_id: line.variant_id }, { variant_id: null }, { quantity: 0 }, { id: 8 }])
      expect(bundleOf([{ ...bundle, ...other }])).toBeNull();
    for (const groups of [undefined, null, "none", []]) expect(bundleOf(groups)).toBeNull();
  });

  it("knows what the customer paid in their own currency", () => {
    const price_set = set("349.00", ["52000", "JPY"]);
    const discount = { amount: "10.00", amount_set: set("10.00", ["1500", "JPY"]) };
    const body = { ...order, line_items: [{ ...line, price_set, discount_allocations: [discount] }] };
    expect(parseOrderPayload(JSON.stringify(body)).lines[0]?.amounts).toEqual([
      { currency: "EUR", unitPriceMinor: 34_900, discountsMinor: 1_000 },
      { currency: "JPY", unitPriceMinor: 52_000, discountsMinor: 1_500 },
    ]);
  });

  it("counts amounts in the customer's own currency only where all of them are known", () => {
    const price_set = set("349.00", ["52000", "JPY"]);
    const known = { amount: "10.00", amount_set: set("10.00", ["1500", "JPY"]) };
    for (const unknown of [
      { amount: "5.00" },
      { amount: "5.00", amount_set: { shop_money: known.amount_set.shop_money } },
    ]) {
      const body = { ...order, line_items: [{ ...line, price_set, discount_allocations: [known, unknown] }] };
      expect(parseOrderPayload(JSON.stringify(body)).lines[0]?.amounts).toEqual([
        { currency: "EUR", unitPriceMinor: 34_900, discountsMinor: 1_500 },
      ]);
    }
  });

  it.each([
    [true, "subscribed", true],
    [true, undefined, true],
    [undefined, "SUBSCRIBED", true],
    [true, "unsubscribed", false],
    [true, "pending", false],
    [false, "subscribed", false],
    [false, undefined, false],
    [undefined, undefined, false],
    ["yes", 7, false],
  ])("that says %s and a customer who is %s: may be written to, %s", (chosen, state, accepts) => {
    const customer = { first_name: "Ana", email_marketing_consent: { state } };
    const body = JSON.stringify({ ...order, buyer_accepts_marketing: chosen, customer });
    expect(parseOrderPayload(body).acceptsMarketing).toBe(accepts);
  });

  it("is read with everything that Shopify may say", () => {
    const person = { first_name: " Ana ", last_name: "Blanc", phone: "+33612345678" };
    const address = {
      ...person,
      company: "Blanc SARL",
      address1: "3 rue des Lilas",
      address2: "",
      zip: "75020",
      city: "Paris",
      country_code: "FR",
    };
    const read = parseOrderPayload(
      JSON.stringify({
        ...order,
        processed_at: "2026-11-20T09:00:00Z",
        cancelled_at: "2026-11-21T09:00:00Z",
        test: true,
        company: { id: 1 },
        customer: { id: 71, ...person, email: "lea@example.com" },
        billing_address: address,
        line_items: [
          {
            ...line,
            name: null,
            properties: [
              { name: "n", value: 7 },
              { name: "list", value: ["x"] },
            ],
          },
          { ...line, id: line.id + 1, name: "", variant_title: null },
          { ...line, id: line.id + 2, quantity: 0, current_quantity: 0 },
        ],
      }),
    );
    const named = { firstName: "Ana", lastName: "Blanc", phone: "+33612345678" };
    const { lines, ...rest } = read;
    expect(rest).toEqual({
      id: "5812340000001",
      language: "fr-FR",
      name: "#1001",
      createdAt: new Date("2026-11-20T09:00:00Z"),
      updatedAt: new Date("2026-11-20T10:00:05Z"),
      paid: true,
      isPaidBack: false,
      cancelledAt: new Date("2026-11-21T09:00:00Z"),
      test: true,
      currency: "EUR",
      gateways: ["bogus"],
      sourceName: "web",
      business: true,
      acceptsMarketing: false,
      email: "ana@example.com",
      phone: null,
      customerId: "71",
      customer: { ...named, email: "lea@example.com" },
      billingAddress: {
        ...named,
        company: "Blanc SARL",
        address1: "3 rue des Lilas",
        address2: null,
        zip: "75020",
        city: "Paris",
        countryCode: "FR",
      },
      shippingAddress: null,
      unreadableLines: [],
      refunds: [],
    });
    expect(lines).toMatchObject([
      { productId: "8612340000001", title: "Téléphone - 128 Go", sku: null, properties: { n: "7" } },
      { title: "Téléphone" },
    ]);
    expect(lines[0]?.properties).toEqual({ n: "7" });
  });

  it("is an ordinary order where Shopify says nothing else", () => {
    const less = {
      ...order,
      payment_gateway_names: undefined,
      source_name: undefined,
      processed_at: undefined,
    };
    for (const company of [null, undefined]) {
      const read = parseOrderPayload(JSON.stringify({ ...less, company, email: "first@example.com" }));
      expect(read).toMatchObject({
        createdAt: new Date("2026-11-20T10:00:00Z"),
        cancelledAt: null,
        test: false,
        gateways: [],
        sourceName: "",
        business: false,
        email: "first@example.com",
        customer: null,
      });
    }
  });

  it("stays paid when it was refunded, and is not paid before", () => {
    const paid = (financial_status: string | null) =>
      parseOrderPayload(JSON.stringify({ ...order, financial_status })).paid;
    expect(["partially_refunded", "refunded", "pending", "voided", null].map(paid)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it("tolerates what a platform may leave out", () => {
    const poor = {
      id: line.id,
      name: line.name,
      quantity: 2,
      price: "1.00",
      variant_id: null,
      properties: null,
    };
    const read = parseOrderPayload(JSON.stringify({ ...order, line_items: [poor] }));
    expect(read.lines[0]).toMatchObject({
      productId: null,
      variantId: null,
      sku: null,
      currentQuantity: 2,
      fulfilledQuantity: 0,
      requiresShipping: true,
      amounts: [{ currency: "EUR", unitPriceMinor: 100, discountsMinor: 0 }],
      properties: {},
    });
  });

  it("is refused when it is no order", () => {
    for (const body of ["", "[]", "null", '{"id":1}', JSON.stringify({ ...order, line_items: "none" })]) {
      expect(() => parseOrderPayload(body)).toThrow(UnreadablePayload);
    }
  });

  it("says why it is refused, in a few words, and what caused it", () => {
    const refusal = (changes: object | null): UnreadablePayload => {
      try {
        parseOrderPayload(changes === null ? "{" : JSON.stringify({ ...order, ...changes }));
      } catch (error) {
        if (error instanceof UnreadablePayload) return error;
      }
      throw new Error("It was read");
    };
    const long = refusal({ payment_gateway_names: Array.from({ length: 50 }, () => ({})) });
    expect(long.name).toBe("UnreadablePayload");
    expect(long.cause).toBeInstanceOf(ZodError);
    expect(long.message).toHaveLength(500);
    expect(refusal(null).cause).toBeInstanceOf(SyntaxError);
  });

  it("is read without the lines that are none, and says which they are and why", () => {
    const strange = [
      { ...line, id: 11, price: "99999999999999999" },
      { ...line, id: 12, quantity: "two" },
      { id: "x" },
      null,
    ];
    const read = parseOrderPayload(JSON.stringify({ ...order, line_items: [line, ...strange] }));
    expect(read.lines).toMatchObject([{ id: "14712340000001" }]);
    expect(read.unreadableLines).toMatchObject([
      { id: "11", title: "Téléphone - 128 Go" },
      { id: "12", problem: expect.stringContaining("quantity") as string },
      { id: null, title: null },
      { id: null },
    ]);
  });

  it("is read whatever form the properties of its lines have", () => {
    const forms = [
      [],
      {},
      null,
      "none",
      { _parasol_pair: "p1", n: 7, list: ["x"] },
      [null, { name: "n" }, { name: "_parasol_pair", value: "p1" }],
    ];
    const line_items = forms.map((properties, index) => ({ ...line, id: line.id + index, properties }));
    const read = parseOrderPayload(JSON.stringify({ ...order, line_items, note_attributes: {} }));
    expect(read.unreadableLines).toEqual([]);
    expect(read.lines.map(({ properties }) => properties)).toEqual([
      {},
      {},
      {},
      {},
      { _parasol_pair: "p1", n: "7" },
      { _parasol_pair: "p1" },
    ]);
  });

  it("of a refund or an edit names the order", () => {
    expect(parseRefundPayload('{"id":1,"order_id":9007199254740993}')).toEqual({
      orderId: "9007199254740993",
      change: null,
    });
    expect(parseOrderEditPayload('{"order_edit":{"order_id":5812340000001}}')).toEqual({
      orderId: "5812340000001",
      change: null,
    });
    expect(() => parseRefundPayload("{}")).toThrow(UnreadablePayload);
  });

  it("of a deletion has the order's id", () => {
    expect(parseOrderDeletePayload('{"id":9007199254740993}')).toBe("9007199254740993");
    expect(() => parseOrderDeletePayload('{"order_id":1}')).toThrow(UnreadablePayload);
  });

  it("of a refund or an edit says what was removed, and whether something was added", () => {
    const created_at = "2026-11-20T11:00:00+01:00";
    const at = new Date("2026-11-20T10:00:00Z");
    const refund = {
      id: 1,
      order_id: 2,
      created_at,
      refund_line_items: [{ id: 3, line_item_id: 4, quantity: 2, line_item: { id: 4 } }],
    };
    expect(parseRefundPayload(JSON.stringify(refund)).change).toEqual({
      id: "refund 1",
      at,
      removed: [{ lineId: "4", quantity: 2 }],
      adds: false,
      refund: null,
    });
    const line_items = { additions: [{ id: 5, delta: 1 }], removals: [{ id: 4, delta: 2 }] };
    const order_edit = { id: 1, order_id: 2, created_at, line_items };
    expect(parseOrderEditPayload(JSON.stringify({ order_edit })).change).toEqual({
      id: "edit 1",
      at,
      removed: [{ lineId: "4", quantity: 2 }],
      adds: true,
      refund: null,
    });
    const nothingAdded = { order_edit: { ...order_edit, line_items: { ...line_items, additions: [] } } };
    expect(parseOrderEditPayload(JSON.stringify(nothingAdded)).change).toMatchObject({ adds: false });
    const odd = { ...refund, refund_line_items: [{ line_item_id: 4, quantity: -2 }] };
    expect(parseRefundPayload(JSON.stringify(odd)).change).toBeNull();
  });

  it("of a refund without items says how much money was paid back, without the shipping", () => {
    const refundOf = (amounts: object) =>
      parseRefundPayload(
        JSON.stringify({
          id: 1,
          order_id: 2,
          created_at: "2026-11-20T10:00:00Z",
          refund_line_items: [],
          ...amounts,
        }),
      ).change?.refund;
    const paid = { amount: "50.00", currency: "EUR", kind: "refund", status: "success" };
    const shippingOf = (shop: string, presentment = "EUR") => ({
      subtotal_amount_set: {
        shop_money: { amount: "4.90", currency_code: shop },
        presentment_money: { amount: "4.90", currency_code: presentment },
      },
    });
    const refund_shipping_lines = [shippingOf("EUR")];
    expect(refundOf({ transactions: [paid, paid] })).toMatchObject({ moneyMinor: 10_000, currency: "EUR" });
    for (const line of [shippingOf("EUR"), shippingOf("CHF"), shippingOf("EUR", "CHF")])
      expect(refundOf({ transactions: [paid], refund_shipping_lines: [line] })?.moneyMinor).toBe(4_510);
    for (const line of [shippingOf("CHF", "CHF"), {}, "?"])
      expect(refundOf({ transactions: [paid], refund_shipping_lines: [line] })?.moneyMinor).toBe(5_000);
    expect(refundOf({ transactions: [{ ...paid, amount: "4.90" }], refund_shipping_lines })?.moneyMinor).toBe(
      0,
    );
    expect(refundOf({ transactions: [{ ...paid, status: "failure" }, "?"] })).toMatchObject({
      moneyMinor: 0,
      status: "failed",
    });
    expect(refundOf({})).toBeNull();
  });
});
