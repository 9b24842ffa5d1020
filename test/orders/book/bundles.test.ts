/** Plans of bundles: Shopify's order has the components as lines, and the bundle only as their group. */
import { describe, expect, it, test } from "vitest";
import { checkOrder, type CatalogueView } from "#app/orders/book/sale-check.ts";
import { INSURED_VARIANT, PAIR } from "#app/shopify/line-properties.ts";
import type { ShopBundle, ShopOrderLine } from "#app/shopify/order.ts";
import { catalogue, line, plan, product, shopOrder } from "#test/orders/samples.ts";

const bundle: ShopBundle = {
  id: "77",
  title: "Pack photo",
  quantity: 1,
  productId: "880",
  variantId: "8801",
};
const twoPacks = { ...bundle, quantity: 2 };
const view: CatalogueView = {
  ...catalogue,
  categories: new Map([...catalogue.categories, ["880", ["Smartphone"]]]),
};

/** A component; Shopify describes its group unless `of` is null. */
const component = (id: string, price: number, of: ShopBundle | null, changes: Partial<ShopOrderLine> = {}) =>
  line(id, price, { groupId: "77", bundle: of, ...changes });
const phone = (of: ShopBundle | null, changes: Partial<ShopOrderLine> = {}) =>
  component("1", 30_000, of, changes);
const cover = (of: ShopBundle | null, changes: Partial<ShopOrderLine> = {}) =>
  component("2", 2_000, of, { productId: "820", variantId: "8201", title: "Étui", ...changes });
/** The bundle's plan; `claims` are its properties besides those of every plan. */
const planOf = (changes: Partial<ShopOrderLine> = {}, claims: Record<string, string> = {}) => {
  const sold = plan("3", null, { groupId: "77", ...changes });
  return { ...sold, properties: { ...sold.properties, [INSURED_VARIANT]: "8801", ...claims } };
};
const insuredBundle = {
  lineId: "1",
  variantId: "8801",
  title: "Pack photo",
  priceMinor: 32_000,
  currency: "EUR",
};
const pack = { ...insuredBundle, priceMinor: 30_000 };

const ledgerOf = (lines: ShopOrderLine[]) => checkOrder(shopOrder(lines), view);

describe("a plan sold for a bundle", () => {
  type Row = [
    what: string,
    lines: ShopOrderLine[],
    items: [insured: object | null, finding: string | null][],
  ];
  const noFinding: Row[2] = [[insuredBundle, null]];
  const isTask: Row[2] = [[null, "bundle_component"]];
  const rows: Row[] = [
    ["insures the bundle", [phone(bundle), cover(bundle), planOf()], noFinding],
    ["does so in a group of its own", [phone(bundle), cover(bundle), planOf({ groupId: "78" })], noFinding],
    ["does so without any group", [phone(bundle), cover(bundle), planOf({ groupId: null })], noFinding],
    [
      "does so by its pair",
      [phone(bundle, { properties: { [PAIR]: "p" } }), cover(bundle), planOf({}, { [PAIR]: "p" })],
      noFinding,
    ],
    [
      "insures each of two",
      [
        phone(twoPacks, { quantity: 2, currentQuantity: 2 }),
        cover(twoPacks, { quantity: 2, currentQuantity: 2 }),
        planOf({ quantity: 2, currentQuantity: 2 }),
      ],
      [...noFinding, ...noFinding],
    ],
    [
      "insures a pack of two phones, not one of the phones",
      [component("1", 15_000, bundle, { quantity: 2, currentQuantity: 2 }), planOf()],
      [[pack, null]],
    ],
    [
      "is one too many beside one bundle",
      [phone(bundle), cover(bundle), planOf({ quantity: 2, currentQuantity: 2 })],
      [...noFinding, [insuredBundle, "more_plans_than_products"]],
    ],
    [
      "is checked against the bundle's price",
      [phone(bundle), component("2", 10_000, bundle), planOf()],
      [[{ ...insuredBundle, priceMinor: 40_000 }, "outside_price_band"]],
    ],
    ["is a task if Shopify does not describe the group", [phone(null), cover(null), planOf()], isTask],
    ["is a task if that group has one line only", [phone(null), planOf()], isTask],
    [
      "is a task if the components do not make up whole bundles",
      [phone(twoPacks, { quantity: 3, currentQuantity: 3 }), cover(twoPacks), planOf()],
      isTask,
    ],
    [
      "is a task if it names one of the components",
      [phone(bundle), cover(bundle), planOf({}, { [INSURED_VARIANT]: "8001" })],
      isTask,
    ],
    [
      "is a task if it names one of the components, though it is in no group",
      [phone(bundle), cover(bundle), planOf({ groupId: null }, { [INSURED_VARIANT]: "8001" })],
      isTask,
    ],
  ];
  test.each(rows)("%s", (_what, lines, items) => {
    expect(ledgerOf(lines).items.map(({ insured, finding }) => [insured, finding])).toEqual(items);
  });
});

describe("a bundle in the check of a sale", () => {
  it("is one line, complete or gone", () => {
    const sold = (changes: Partial<ShopOrderLine>) =>
      ledgerOf([
        phone(twoPacks, { quantity: 4, currentQuantity: 4, fulfilledQuantity: 3, ...changes }),
        cover(twoPacks, { quantity: 2, currentQuantity: 2, fulfilledQuantity: 2, requiresShipping: false }),
        line("4", 1_000),
      ]).lines;
    expect(sold({})).toMatchObject([
      {
        lineId: "1",
        pairId: "1",
        productId: "880",
        variantId: "8801",
        title: "Pack photo",
        quantity: 2,
        currentQuantity: 2,
        fulfilledQuantity: 1,
        requiresShipping: true,
        listPriceMinor: 62_000,
        categoryId: "Smartphone",
      },
      { lineId: "4", title: "Téléphone - 128 Go" },
    ]);
    expect(sold({ currentQuantity: 3 })).toMatchObject([{ currentQuantity: 1 }, {}]);
    expect(sold({ currentQuantity: 1 })).toMatchObject([{ currentQuantity: 0 }, {}]);
  });

  it("costs what its components cost after discounts, in each currency that all of them have", () => {
    const francs = (unitPriceMinor: number) => ({ currency: "CHF", unitPriceMinor, discountsMinor: 100 });
    const euros = (unitPriceMinor: number) => ({ currency: "EUR", unitPriceMinor, discountsMinor: 500 });
    const lines = (others: ShopOrderLine["amounts"]) =>
      ledgerOf([
        phone(bundle, { amounts: [euros(30_000), francs(28_000)] }),
        cover(bundle, { amounts: others }),
      ]).lines;
    expect(lines([euros(2_000), francs(1_900)])).toMatchObject([
      { listPriceMinor: 32_000, priceMinor: 31_000, currency: "EUR" },
    ]);
    expect(lines([euros(2_000)])).toMatchObject([{ listPriceMinor: 32_000, currency: "EUR" }]);
    // Without a common currency it cannot be one line.
    expect(lines([{ ...euros(1_900), currency: "JPY" }])).toMatchObject([{ lineId: "1" }, { lineId: "2" }]);
  });

  it("does not take the plan of the same phone that was bought alone", () => {
    const alone = product("4", 30_000, "p");
    const { items } = ledgerOf([phone(bundle), cover(bundle), alone, plan("5", "p"), planOf()]);
    expect(items.map(({ lineId, insured }) => [lineId, insured?.lineId])).toEqual([
      ["5", "4"],
      ["3", "1"],
    ]);
  });
});
