/** The pixel of docs/conversions.md, with Shopify's event as its reference describes it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createContext, Script } from "node:vm";
import { beforeEach, expect, it } from "vitest";
import { REFERENCE } from "#app/shopify/line-properties.ts";

type Handler = (event: object) => void;
let handlers: Map<string, Handler>;
let sent: unknown[][];

beforeEach(async () => {
  const page = await readFile(join(import.meta.dirname, "../../docs/conversions.md"), "utf8");
  const [, code = ""] = /```js\n([\s\S]*?)\n```/.exec(page) ?? [];
  handlers = new Map();
  sent = [];
  const note = (...told: unknown[]) => sent.push(told);
  const analytics = {
    subscribe: (name: string, handler: Handler) => handlers.set(name, handler),
  };
  new Script(code).runInContext(createContext({ analytics, gtag: note, fbq: note }));
});

const price = (amount: number) => ({ amount, currencyCode: "EUR" });
const phone = {
  title: "Lumo X2",
  quantity: 2,
  finalLinePrice: price(1_158),
  properties: [{ key: "_parasol_pair", value: "p1" }],
  variant: { id: "11", sku: "LUMO", product: { type: "Smartphones" } },
};
const plan = {
  title: "Smartphone",
  quantity: 2,
  finalLinePrice: price(117.8),
  properties: [{ key: REFERENCE, value: "SMA-24" }],
  variant: { id: "90", sku: "SMA-24", product: { type: "Assurance" } },
};

const complete = (lineItems: object[], subtotal: number) =>
  handlers.get("checkout_completed")?.({
    data: {
      checkout: {
        lineItems,
        subtotalPrice: price(subtotal),
        currencyCode: "EUR",
        order: { id: "5001" },
        token: "t1",
      },
    },
  });

/** What Google and Meta got as the value. */
const sentValues = () =>
  sent.map((told) => told.find((part) => typeof part === "object" && part !== null && "value" in part));

it("sends the products' value, and no line of insurance, to Google and Meta", () => {
  complete([phone, plan], 1_275.8);
  expect(sent).toEqual([
    [
      "event",
      "purchase",
      {
        transaction_id: "5001",
        value: 1_158,
        currency: "EUR",
        items: [{ item_id: "LUMO", item_name: "Lumo X2", price: 579, quantity: 2 }],
      },
    ],
    [
      "track",
      "Purchase",
      { value: 1_158, currency: "EUR", content_type: "product", contents: [{ id: "11", quantity: 2 }] },
      { eventID: "5001" },
    ],
  ]);
});

it.each([
  ["by its product type where its properties are missing", { properties: null }],
  ["by its property where its product is not shown", { variant: null }],
])("knows insurance %s", (_what, changes) => {
  const insurance = { ...plan, variant: { ...plan.variant, product: { type: "Insurance" } }, ...changes };
  complete([phone, insurance], 1_275.8);
  expect(sentValues()).toMatchObject([{ value: 1_158 }, { value: 1_158 }]);
});

it("sends the whole value of an order without insurance", () => {
  complete([phone], 1_158);
  expect(sentValues()).toMatchObject([{ value: 1_158 }, { value: 1_158 }]);
});
