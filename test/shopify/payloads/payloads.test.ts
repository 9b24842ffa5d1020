import { describe, expect, it } from "vitest";
import { gid, numericId } from "#app/shopify/gid.ts";
import { parseCustomerRedactPayload, parseDataRequestPayload } from "#app/shopify/payloads/customers.ts";
import { readPayload, UnreadablePayload } from "#app/shopify/payloads/payload.ts";
import { parseProductPayload } from "#app/shopify/payloads/products.ts";

describe("a product webhook", () => {
  it("is read as the Admin API words it", () => {
    const product = {
      id: 8612340000001,
      title: "Téléphone",
      handle: "telephone",
      status: "active",
      product_type: "Téléphones",
      vendor: "Nova",
      tags: "5G, Reconditionné,, ",
      variants: [{ id: 45612340000001, price: "349.00" }],
    };
    expect(parseProductPayload(JSON.stringify(product))).toEqual({
      id: "8612340000001",
      isBundle: null,
      title: "Téléphone",
      handle: "telephone",
      status: "ACTIVE",
      productType: "Téléphones",
      vendor: "Nova",
      tags: ["5G", "Reconditionné"],
      variants: [{ id: "45612340000001", price: "349.00" }],
    });
  });

  it("may leave out all but the id", () => {
    const empty = {
      isBundle: null,
      title: "",
      handle: "",
      status: "",
      productType: "",
      vendor: "",
      tags: [],
      variants: [],
    };
    expect(parseProductPayload('{"id":1}')).toEqual({ id: "1", ...empty });
    expect(() => parseProductPayload("{}")).toThrow(UnreadablePayload);
  });
});

describe("a customer webhook", () => {
  it("names the customer, the e-mail and the orders", () => {
    const customer = { id: 1, email: " ana@example.com ", phone: null };
    expect(parseDataRequestPayload(JSON.stringify({ customer, orders_requested: [11, "12"] }))).toEqual({
      email: "ana@example.com",
      customerId: "1",
      orderIds: ["11", "12"],
    });
    expect(parseCustomerRedactPayload(JSON.stringify({ customer, orders_to_redact: [11] }))).toEqual({
      email: "ana@example.com",
      customerId: "1",
      orderIds: ["11"],
    });
  });

  it.each([{}, { customer: null }, { customer: {} }, { customer: { email: " " }, orders_requested: null }])(
    "may know none of them: %j",
    (body) => {
      const nothing = { email: null, customerId: null, orderIds: [] };
      expect(parseDataRequestPayload(JSON.stringify(body))).toEqual(nothing);
      expect(parseCustomerRedactPayload(JSON.stringify(body))).toEqual(nothing);
    },
  );
});

describe("reading a payload", () => {
  it("lets a fault of the app's own through", () => {
    const fault = new TypeError("a bug");
    expect(() =>
      readPayload(() => {
        throw fault;
      }),
    ).toThrow(fault);
  });

  it("says why an amount is none", () => {
    const read = () =>
      readPayload(() => {
        throw new RangeError("The amount is too large");
      });
    expect(read).toThrow(UnreadablePayload);
    expect(read).toThrow("The amount is too large");
  });
});

describe("a global id", () => {
  it("is Shopify's prefix and a number", () => {
    expect(gid("Product", "1")).toBe("gid://shopify/Product/1");
    expect(numericId("gid://shopify/ProductVariant/123")).toBe("123");
    expect(numericId("gid://shopify/Metafield/12?owner=1")).toBe("12");
  });

  it.each(["1", "gid://shopify/Product/", "gid://shopify/Product/1a", "x gid://shopify/Product/1"])(
    "is not %s",
    (text) => {
      expect(() => numericId(text)).toThrow(new RangeError(`Not a global id: ${text}`));
    },
  );
});
