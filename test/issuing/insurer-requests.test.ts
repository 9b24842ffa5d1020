import { describe, expect, it } from "vitest";
import { insuredCustomerOf, missingFields, readPhone } from "#app/orders/customer.ts";
import { toNewOrder, toNewPlan } from "#app/issuing/insurer-requests.ts";
import { paris, shopOrder } from "#test/orders/samples.ts";
import { NOW, toldOrder } from "./told-order.ts";

const item = {
  sold: { referenceId: "SMA-24-04" },
  insured: {
    lineId: "1",
    variantId: "8001",
    title: "Téléphone - 128 Go",
    priceMinor: 34_900,
    currency: "EUR",
  },
};

describe("the insured customer", () => {
  it("is who pays, with the phone in international format", () => {
    const lyon = { ...paris, firstName: "Léa", address1: "1 quai", zip: "69002", city: "Lyon" };
    expect(insuredCustomerOf(shopOrder([], { billingAddress: paris, shippingAddress: lyon }))).toEqual({
      email: "ana@example.com",
      firstName: "Ana",
      lastName: "Blanc",
      phone: "+33612345678",
      address1: "3 rue des Lilas",
      address2: null,
      zip: "75020",
      city: "Paris",
      country: "FR",
    });
  });

  it("is taken from the delivery where the bill has no full address, never from two halves", () => {
    const half = { ...paris, address1: null, city: "Lille" };
    const found = insuredCustomerOf(shopOrder([], { billingAddress: half, shippingAddress: paris }));
    expect([found.address1, found.city]).toEqual(["3 rue des Lilas", "Paris"]);
  });

  it("is one person: a full name goes before half of one, names are never mixed", () => {
    const half = { ...paris, lastName: null };
    const customer = { firstName: "Léa", lastName: "Noir", email: "lea@example.com", phone: null };
    const named = (order: Parameters<typeof shopOrder>[1]) => {
      const { firstName, lastName } = insuredCustomerOf(shopOrder([], order));
      return [firstName, lastName];
    };
    expect(named({ billingAddress: half, customer })).toEqual(["Léa", "Noir"]);
    expect(named({ billingAddress: { ...paris, firstName: null }, customer })).toEqual(["Léa", "Noir"]);
    expect(named({ billingAddress: half, shippingAddress: { ...paris, firstName: "Luc" } })).toEqual([
      "Luc",
      "Blanc",
    ]);
    expect(named({ billingAddress: half })).toEqual(["Ana", null]);
    expect(named({ billingAddress: null })).toEqual([null, null]);
  });

  it("keeps a bill's address that is not full where there is no other", () => {
    const half = { ...paris, city: null, address2: "Bât. B", countryCode: "fr" };
    const found = insuredCustomerOf(shopOrder([], { billingAddress: half }));
    expect(found).toMatchObject({
      address1: "3 rue des Lilas",
      address2: "Bât. B",
      city: null,
      country: "FR",
    });
    for (const missing of ["address1", "zip", "city", "countryCode"] as const) {
      const bill = { ...paris, [missing]: null };
      const lyon = { ...paris, address1: "1 quai", zip: "69002", city: "Lyon" };
      const order = shopOrder([], { billingAddress: bill, shippingAddress: lyon });
      expect(insuredCustomerOf(order).address1).toBe("1 quai");
    }
  });

  it("has the order's e-mail, else the customer's, where it is one", () => {
    const customer = { firstName: null, lastName: null, email: " lea@example.com ", phone: null };
    const email = (changes: Parameters<typeof shopOrder>[1]) =>
      insuredCustomerOf(shopOrder([], changes)).email;
    expect(email({ customer })).toBe("ana@example.com");
    expect(email({ customer, email: null })).toBe("lea@example.com");
    expect(email({ email: "ana at example" })).toBeNull();
    expect(email({ email: null })).toBeNull();
  });

  it("may be a guest: the order's e-mail and address are enough", () => {
    expect(missingFields(insuredCustomerOf(shopOrder([], { customer: null })), true)).toEqual([]);
  });

  it("lacks an address with a pickup that requires none", () => {
    const customer = { firstName: "Ana", lastName: "Blanc", email: null, phone: "+33612345678" };
    const found = insuredCustomerOf(shopOrder([], { billingAddress: null, shippingAddress: null, customer }));
    expect(missingFields(found, true)).toEqual(["address1", "city", "country"]);
  });

  it("lacks nothing with one name, or in a country without postcodes", () => {
    for (const alone of ["firstName", "lastName", "zip"] as const) {
      const bill = { ...paris, [alone]: null };
      expect(missingFields(insuredCustomerOf(shopOrder([], { billingAddress: bill })), true)).toEqual([]);
    }
  });

  it("lacks a name where a company bought", () => {
    const company = { ...paris, firstName: null, lastName: null, company: "Blanc SARL" };
    expect(missingFields(insuredCustomerOf(shopOrder([], { billingAddress: company })), true)).toEqual([
      "firstName",
      "lastName",
    ]);
  });

  it("lacks everything where Shopify keeps customer data to itself", () => {
    const hidden = shopOrder([], { email: null, billingAddress: null });
    expect(missingFields(insuredCustomerOf(hidden), true)).toHaveLength(7);
    expect(missingFields(insuredCustomerOf(hidden), false)).toHaveLength(6);
    const nowhere = shopOrder([], { billingAddress: { ...paris, countryCode: null } });
    expect(missingFields(insuredCustomerOf(nowhere), false)).toEqual(["country"]);
  });

  it("takes the phone from wherever there is one that can be read", () => {
    const noPhone = { ...paris, phone: "call me" };
    const elsewhere = shopOrder([], { phone: "+1 613 555 0185", billingAddress: noPhone });
    expect(insuredCustomerOf(elsewhere).phone).toBe("+16135550185");
    const without = insuredCustomerOf(shopOrder([], { billingAddress: noPhone }));
    expect([missingFields(without, true), missingFields(without, false)]).toEqual([["phone"], []]);
  });

  it("has phone numbers of all countries", () => {
    expect(readPhone("0470 12 34 56", "BE")).toBe("+32470123456");
    expect(readPhone("0033 6 12 34 56 78", "FR")).toBe("+33612345678");
    expect(readPhone("06 12 34 56 78", null)).toBeNull();
    expect(readPhone("06 12 34 56 78", "XX")).toBeNull();
    expect(readPhone("06 12", "FR")).toBeNull();
    expect(readPhone(null, "FR")).toBeNull();
  });
});

describe("the plan request", () => {
  it("has the specification's fields", () => {
    const request = toNewPlan("5812340000001", item, insuredCustomerOf(shopOrder([])), true);
    expect(request).toEqual({
      type: "complete",
      plan: {
        offerReferenceId: "SMA-24-04",
        orderReferenceId: "5812340000001",
        variant: {
          referenceId: "8001",
          priceMinor: 34_900,
          currencyCode: "EUR",
          title: "Téléphone - 128 Go",
        },
        customer: {
          email: "ana@example.com",
          firstName: "Ana",
          lastName: "Blanc",
          phone: "+33612345678",
          address: {
            address1: "3 rue des Lilas",
            address2: null,
            zipCode: "75020",
            city: "Paris",
            country: "FR",
          },
        },
      },
    });
  });

  it("names what is missing", () => {
    const customer = { ...insuredCustomerOf(shopOrder([])), phone: null, city: null };
    expect(toNewPlan("1", item, customer, true)).toEqual({
      type: "incomplete",
      missing: ["phone", "city"],
    });
  });

  it("is not made of a customer whose data was deleted, nor without an insured item", () => {
    expect(toNewPlan("1", item, null, true)).toEqual({ type: "no_customer" });
    const without = { ...item, insured: null };
    expect(toNewPlan("1", without, insuredCustomerOf(shopOrder([])), true)).toEqual({
      type: "no_insured_line",
    });
  });
});

describe("the order's sales data", () => {
  it("names lines by their variant, custom lines by themselves", () => {
    const order = toldOrder({ status: "paid", items: "pending", salesRecord: "none" });
    const lines = order.lines.flatMap((line) => [
      { ...line, ordered: 1, variantId: "8001" },
      { ...line, ordered: 1, lineId: "1", variantId: null, isOffered: false, isSelected: false },
    ]);
    const common = { priceMinor: 57_900, currencyCode: "EUR", categoryId: "Smartphone" };
    expect(toNewOrder("5", { ...order, lines })).toEqual({
      orderReferenceId: "5",
      purchasedAt: NOW,
      paymentMethod: "credit_card",
      salesChannel: "online",
      lineItems: [
        { ...common, referenceId: "8001", insuranceOffered: true, insuranceSelected: true },
        { ...common, referenceId: "1", insuranceOffered: false, insuranceSelected: false },
      ],
    });
  });

  it("has a line item for each piece: of three phones with two insured, two are selected", () => {
    const order = toldOrder({ status: "paid", items: "active active", salesRecord: "none" });
    const lines = order.lines.map((line) => ({ ...line, ordered: 3 }));
    const selected = (of: typeof order) =>
      toNewOrder("5", of).lineItems.map(({ insuranceSelected }) => insuranceSelected);
    expect(selected({ ...order, lines })).toEqual([true, true, false]);
    expect(selected({ ...order, lines, items: [] })).toEqual([true, false, false]);
  });
});
