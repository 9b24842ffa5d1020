import { describe, expect, it } from "vitest";
import { checkOrder } from "#app/orders/book/sale-check.ts";
import { CONSENT, INSURED_VARIANT, OFFERED, PAIR, REFERENCE } from "#app/shopify/line-properties.ts";
import { pricePaidByItem } from "#app/shopify/order.ts";
import { catalogue, line, paris, plan, product, shopOrder } from "#test/orders/samples.ts";

const inEuros = (unitPriceMinor: number, discountsMinor = 0) => ({
  currency: "EUR",
  unitPriceMinor,
  discountsMinor,
});
const inFrancs = (unitPriceMinor: number) => ({ currency: "CHF", unitPriceMinor, discountsMinor: 0 });

/** A phone, the plan for it, and that plan at another price or of another reference. */
const phone = product("1", 34_900, "p");
const insurance = plan("2", "p");
const soldAt = (price: number, discounts = 0) => plan("2", "p", { amounts: [inEuros(price, discounts)] });
const otherPlan = (variantId: string, price: number, id = "2") =>
  plan(id, "p", { variantId, amounts: [inEuros(price)] });

describe("the check of an order's sale", () => {
  it("has an item for an insured product, with the price that it was offered for", () => {
    const { items } = checkOrder(
      shopOrder([product("1", 34_900, "p", { amounts: [inEuros(34_900, 1_000)] }), insurance]),
      catalogue,
    );
    expect(items).toEqual([
      expect.objectContaining({
        lineId: "2",
        itemNumber: 1,
        offerReferenceId: "SMA-24-04",
        planVariantId: "9024",
        offerPriceMinor: 4_990,
        premiumMinor: 4_990,
        currency: "EUR",
        termMonths: 24,
        insured: {
          lineId: "1",
          variantId: "8001",
          title: "Téléphone - 128 Go",
          priceMinor: 34_900,
          currency: "EUR",
        },
        finding: null,
      }),
    ]);
  });

  it("is named as people read it, without the price band among the plan's options", () => {
    const named = (title: string) =>
      checkOrder(shopOrder([phone, plan("2", "p", { title })]), catalogue).items[0]?.planTitle;
    expect(named("Assurance - casse et vol - 24 mois / 300,00 – 399,99 €")).toBe(
      "Assurance - casse et vol, 24 mois",
    );
    expect(named("Assurance casse 24 mois")).toBe("Assurance casse 24 mois");
    expect(named("A - 24 mois / 300,00 – 399,99 €")).toBe("A, 24 mois");
    expect(named("Casse / vol")).toBe("Casse / vol");
    expect(named("Assurance - casse")).toBe("Assurance - casse");
    expect(named(" - 24 mois / 300 €")).toBe(", 24 mois");
  });

  it("has an item per item", () => {
    const { items } = checkOrder(
      shopOrder([product("1", 34_900, "p", { quantity: 3 }), plan("2", "p", { quantity: 3 })]),
      catalogue,
    );
    expect(items.map(({ lineId, itemNumber, finding }) => [lineId, itemNumber, finding])).toEqual([
      ["2", 1, null],
      ["2", 2, null],
      ["2", 3, null],
    ]);
  });

  it("ties a plan that lost its properties to the product that it was nested under", () => {
    const nested = { groupId: "7", properties: {} };
    const lines = [product("1", 34_900, null), product("2", 34_900, null, nested), plan("3", null, nested)];
    const [item] = checkOrder(shopOrder(lines), catalogue).items;
    expect(item).toMatchObject({ lineId: "3", insured: { lineId: "2" }, finding: "no_consent" });
    // What has no variant, such as a tip, is not the product that no variant was claimed of.
    const tip = product("0", 100, null, { variantId: null });
    expect(checkOrder(shopOrder([tip, ...lines]), catalogue).items).toMatchObject([
      { insured: { lineId: "2" } },
    ]);
    // Two products in the group: which of them is meant is not guessed.
    const [unclear] = checkOrder(shopOrder([product("4", 34_900, null, nested), ...lines]), catalogue).items;
    expect(unclear).toMatchObject({ insured: null, finding: "no_insured_line" });
  });

  it("ties a plan without a pair to that line of its variant under which it is nested", () => {
    const groups = ["7", "8"].map((groupId) => ({ groupId }));
    const lines = groups.flatMap((group, index) => [
      product(`p${index}`, 34_900, null, group),
      plan(`a${index}`, "8001", group),
    ]);
    const { items } = checkOrder(shopOrder(lines), catalogue);
    expect(items.map(({ insured, finding }) => [insured?.lineId, finding])).toEqual([
      ["p0", null],
      ["p1", null],
    ]);
  });

  it("keeps the same variant on two lines apart", () => {
    const { items } = checkOrder(
      shopOrder([
        product("1", 34_900, "a"),
        plan("2", "a"),
        product("3", 30_100, "b"),
        plan("4", "b", { variantId: "9012", amounts: [inEuros(2_990)] }),
      ]),
      catalogue,
    );
    expect(
      items.map(({ lineId, insured, finding }) => [lineId, insured?.lineId, insured?.priceMinor, finding]),
    ).toEqual([
      ["2", "1", 34_900, null],
      ["4", "3", 30_100, null],
    ]);
  });

  it("takes several terms on one product", () => {
    const { items } = checkOrder(
      shopOrder([product("1", 34_900, "p", { quantity: 2 }), insurance, otherPlan("9012", 2_990, "3")]),
      catalogue,
    );
    expect(
      items.map(({ offerReferenceId, termMonths, finding }) => [offerReferenceId, termMonths, finding]),
    ).toEqual([
      ["SMA-24-04", 24, null],
      ["SMA-12-04", 12, null],
    ]);
  });

  it("finds the insured line by its variant where a theme lost the pair", () => {
    const { items } = checkOrder(shopOrder([line("1", 34_900), plan("2", null)]), catalogue);
    expect(items[0]?.insured?.lineId).toBe("1");
    const otherPair = checkOrder(shopOrder([product("1", 34_900, "a"), plan("2", "b")]), catalogue);
    expect(otherPair.items[0]?.insured?.lineId).toBe("1");
  });

  it("decides by the variant between two lines of one pair", () => {
    const lines = [
      product("1", 34_900, "another pair"),
      product("2", 34_900, "p", { variantId: "8002" }),
      product("3", 34_900, "p"),
      plan("4", "p"),
    ];
    expect(checkOrder(shopOrder(lines), catalogue).items[0]?.insured?.lineId).toBe("3");
  });

  it("knows a plan by its variant where a theme lost all properties, and insures nothing by guess", () => {
    const custom = product("1", 34_900, null, { variantId: null });
    const { items, lines } = checkOrder(shopOrder([custom, plan("2", null, { properties: {} })]), catalogue);
    expect(items).toMatchObject([{ lineId: "2", insured: null, finding: "no_insured_line" }]);
    expect(lines.map(({ lineId }) => lineId)).toEqual(["1"]);
    const paired = shopOrder([product("1", 34_900, "p", { variantId: null }), insurance]);
    expect(checkOrder(paired, catalogue).items[0]?.insured).toBeNull();
  });

  it("has no item for a line that only claims to be a plan, whatever its quantity", () => {
    const claim = { variantId: null, quantity: 2_000, currentQuantity: 1_000 };
    const lines = [phone, plan("2", "p", { ...claim, amounts: [inEuros(1)] })];
    const { items, unknownPlanLines, lines: products, left } = checkOrder(shopOrder(lines), catalogue);
    expect(items).toEqual([]);
    expect(unknownPlanLines).toEqual([
      { lineId: "2", title: "Assurance casse 24 mois", quantity: 1_000, paidMinor: 1_000, currency: "EUR" },
    ]);
    expect(products.map(({ lineId, insuranceSelected }) => [lineId, insuranceSelected])).toEqual([
      ["1", false],
    ]);
    expect([...left]).toEqual([["2", 1_000]]);
  });

  it("has 2,000 items at most, over all lines, and says how many items it leaves out", () => {
    const lines = [
      product("1", 34_900, "p", { quantity: 5_000 }),
      plan("2", "p", { quantity: 1_500 }),
      plan("3", "p", { quantity: 700, currentQuantity: 600 }),
      plan("4", null, { quantity: 1 }),
    ];
    const { items, itemsLeftOut, left } = checkOrder(shopOrder(lines), catalogue);
    expect(items).toHaveLength(2_000);
    expect(items.filter(({ lineId }) => lineId === "3")).toHaveLength(500);
    expect(itemsLeftOut).toBe(201);
    expect([...left]).toEqual([
      ["2", 1_500],
      ["3", 600],
      ["4", 1],
    ]);
  });

  it("has no item for an order without insurance, and a line for each product", () => {
    const { items, lines } = checkOrder(
      shopOrder([product("1", 34_900, null), product("2", 100, null)]),
      catalogue,
    );
    expect(items).toEqual([]);
    expect(lines.map(({ lineId }) => lineId)).toEqual(["1", "2"]);
  });

  it.each([
    ["a test order in production is a finding", true, true, "test_order"],
    ["a test order in the test environment is insured there", true, false, null],
    ["a paid order in production is insured", false, true, null],
  ])("%s", (_, test, isProduction, finding) => {
    const order = shopOrder([phone, insurance], { test });
    expect(checkOrder(order, { ...catalogue, isProduction }).items).toMatchObject([{ finding }]);
  });

  it("takes what was paid in the offer's currency where the shop sells in another", () => {
    const dollars = { currency: "USD", unitPriceMinor: 40_000, discountsMinor: 0 };
    const { items } = checkOrder(
      shopOrder(
        [
          product("1", 0, "p", { amounts: [dollars, inEuros(34_900)] }),
          plan("2", "p", { amounts: [{ ...dollars, unitPriceMinor: 5_700 }, inEuros(4_990)] }),
        ],
        { currency: "USD" },
      ),
      catalogue,
    );
    expect(items[0]).toMatchObject({
      premiumMinor: 4_990,
      currency: "EUR",
      insured: { priceMinor: 34_900, currency: "EUR" },
      finding: null,
    });
  });

  describe("hands over to a person", () => {
    type Order = Parameters<typeof shopOrder>;
    const rows: [what: string, lines: Order[0], findings: (string | null)[], changes?: Order[1]][] = [
      [
        "a plan of another account of the merchant's",
        [phone, plan("2", "p", { variantId: "9048" })],
        ["other_account"],
      ],
      ["a plan that insures no line of the order", [insurance], ["no_insured_line"]],
      [
        "a plan whose claimed variant is not in the order",
        [product("1", 34_900, null, { variantId: "8002" }), plan("2", null)],
        ["no_insured_line"],
      ],
      [
        "a plan for a product of another category",
        [product("1", 34_900, "p", { productId: "810" }), insurance],
        ["wrong_category"],
      ],
      [
        "a plan for a product without category",
        [product("1", 34_900, "p", { productId: null }), insurance],
        ["wrong_category"],
      ],
      ["a plan for a dearer product", [product("1", 99_900, "p"), insurance], ["outside_price_band"]],
      ["a plan for a cheaper product", [product("1", 29_999, "p"), insurance], ["outside_price_band"]],
      ["a plan sold a cent cheaper", [phone, soldAt(4_989)], ["wrong_price"]],
      [
        "a plan at a price that Shopify converted back from a market's currency",
        [phone, plan("2", "p", { amounts: [inEuros(4_989), inFrancs(4_700)] })],
        ["other_currency"],
      ],
      ["a plan for which discounts left nothing to pay", [phone, soldAt(4_990, 4_990)], ["free_plan"]],
      [
        "a plan delivered overseas, where the shop does not sell it",
        [phone, insurance],
        ["other_country"],
        { shippingAddress: { ...paris, zip: "97400" } },
      ],
      ["a company's plan", [phone, insurance], ["company"], { business: true }],
      ["a plan by the month, for which no one collects", [phone, otherPlan("9090", 499)], ["monthly"]],
      [
        "a plan above 600 euros a year of a merchant without registration",
        [phone, otherPlan("9099", 60_001)],
        ["yearly_premium"],
      ],
      [
        "a plan without the customer's recorded consent",
        [phone, plan("2", "p", { properties: { [PAIR]: "p", [REFERENCE]: "SMA-24-04", [CONSENT]: " " } })],
        ["no_consent"],
      ],
      [
        "a second plan on one item",
        [phone, insurance, otherPlan("9012", 2_990, "3")],
        [null, "more_plans_than_products"],
      ],
      ["a plan at a placeholder price", [phone, soldAt(0)], ["wrong_price"]],
      [
        "a plan that is offered for another product only",
        [phone, otherPlan("9036", 6_990)],
        ["wrong_product"],
      ],
      [
        "the plans beyond the items",
        [phone, plan("2", "p", { quantity: 2 })],
        [null, "more_plans_than_products"],
      ],
      [
        "a plan in another currency",
        [
          product("1", 34_900, "p", { amounts: [inFrancs(34_900)] }),
          plan("2", "p", { amounts: [inFrancs(4_990)] }),
        ],
        ["other_currency"],
      ],
      [
        "a plan for a product that was paid in another currency",
        [product("1", 34_900, "p", { amounts: [inFrancs(34_900)] }), insurance],
        ["other_currency"],
      ],
      [
        "a plan in another currency than its product",
        [phone, plan("2", "p", { amounts: [inFrancs(4_990)] })],
        ["other_currency"],
      ],
      [
        "a plan for a custom line, which has no variant",
        [product("1", 34_900, "p", { variantId: null }), insurance],
        ["no_insured_line"],
      ],
      [
        "only the item of a line that discounts left nothing of",
        [
          product("1", 34_900, "p", { quantity: 2 }),
          plan("2", "p", { quantity: 2, amounts: [inEuros(1, 1)], variantId: "9001" }),
        ],
        [null, "free_plan"],
      ],
    ];
    it.each(rows)("%s", (_what, lines, findings, changes) => {
      const { items } = checkOrder(shopOrder(lines, changes), catalogue);
      expect(items.map(({ finding }) => finding)).toEqual(findings);
    });

    it("nothing of what the merchant allows", () => {
      const saleRule = {
        ...catalogue.saleRule,
        countries: ["FR", "RE"],
        companies: true,
        monthly: true,
        registrationNumber: "07 001 234",
      };
      const changes = { business: true, shippingAddress: { ...paris, zip: "97400" } };
      for (const [variantId, price] of [
        ["9024", 4_990],
        ["9090", 499],
        ["9099", 60_001],
      ] as const) {
        const lines = [phone, otherPlan(variantId, price)];
        const { items } = checkOrder(shopOrder(lines, changes), { ...catalogue, saleRule });
        expect(items.map(({ finding }) => finding)).toEqual([null]);
      }
    });

    it("nothing where both ends of the band are met exactly", () => {
      for (const price of [30_000, 39_999]) {
        const { items } = checkOrder(shopOrder([product("1", price, "p"), insurance]), catalogue);
        expect(items[0]?.finding).toBeNull();
      }
    });

    it("nothing where a discount code brings the product below the band it was offered in", () => {
      const { items } = checkOrder(
        shopOrder([product("1", 30_500, "p", { amounts: [inEuros(30_500, 5_000)] }), insurance]),
        catalogue,
      );
      expect(items[0]).toMatchObject({ finding: null, insured: { priceMinor: 30_500 } });
    });

    it("a product whose shown price was above the band, though a discount brought it in", () => {
      const { items } = checkOrder(
        shopOrder([product("1", 40_500, "p", { amounts: [inEuros(40_500, 1_000)] }), insurance]),
        catalogue,
      );
      expect(items[0]?.finding).toBe("outside_price_band");
    });

    it("nothing for a plan that took the place of one that was removed", () => {
      const order = shopOrder([phone, plan("2", "p", { currentQuantity: 0 }), otherPlan("9012", 2_990, "3")]);
      expect(checkOrder(order, catalogue).items.map(({ finding }) => finding)).toEqual([null, null]);
    });
  });

  it("believes the catalogue, not the browser, about the reference", () => {
    const { items } = checkOrder(
      shopOrder([
        phone,
        plan("2", "p", {
          properties: {
            [PAIR]: "p",
            [REFERENCE]: "SMA-36-99",
            [INSURED_VARIANT]: "1",
            [CONSENT]: "1 2026-11-20T09:59:00Z",
          },
        }),
      ]),
      catalogue,
    );
    expect(items[0]).toMatchObject({
      offerReferenceId: "SMA-24-04",
      insured: { variantId: "8001" },
      finding: null,
    });
  });

  it("says per line whether insurance was offered and chosen", () => {
    const { lines } = checkOrder(
      shopOrder([
        product("1", 34_900, "p", { properties: { [PAIR]: "p", [OFFERED]: "product_page" } }),
        insurance,
        product("3", 34_900, null),
        product("4", 99_900, null),
        product("5", 34_900, null, { productId: "999" }),
        product("6", 34_900, null, { properties: { [OFFERED]: "cart" }, productId: "999" }),
        product("7", 34_900, null, { properties: { [OFFERED]: "somewhere" }, productId: "999" }),
      ]),
      catalogue,
    );
    expect(
      lines.map(({ lineId, insuranceOffered, insuranceSelected, offeredAt }) => [
        lineId,
        insuranceOffered,
        insuranceSelected,
        offeredAt,
      ]),
    ).toEqual([
      ["1", true, true, "product_page"],
      ["3", false, false, null], // it could have been shown, and nothing says that it was
      ["4", false, false, null], // no offer covers its price
      ["5", false, false, null], // no category
      ["6", true, false, "cart"], // shown, whatever the catalogue says now
      ["7", false, false, null], // a claim that is none
    ]);
  });

  it("offers nothing for a product without category, and shows what was paid for it", () => {
    const given = product("1", 0, null, { productId: "999", quantity: 2, amounts: [inEuros(500, 101)] });
    const { lines } = checkOrder(shopOrder([given]), { ...catalogue, hasOffer: () => true });
    expect(lines).toEqual([
      {
        lineId: "1",
        pairId: "1",
        productId: "999",
        variantId: "8001",
        title: "Téléphone - 128 Go",
        quantity: 2,
        currentQuantity: 2,
        fulfilledQuantity: 0,
        requiresShipping: true,
        listPriceMinor: 500,
        priceMinor: 450,
        currency: "EUR",
        categoryId: "",
        insuranceOffered: false,
        insuranceSelected: false,
        offeredAt: null,
        productFormat: "radio",
      },
    ]);
  });

  it("hands the items of a pair's product lines to its plans in order, and keeps each line's own", () => {
    const lines = [
      phone,
      product("2", 30_100, "p", { quantity: 2 }),
      plan("3", "p", { quantity: 2 }),
      otherPlan("9012", 2_990, "4"),
    ];
    const { items, lines: products } = checkOrder(shopOrder(lines), catalogue);
    expect(
      items.map(({ lineId, insured, finding }) => [lineId, insured?.lineId, insured?.priceMinor, finding]),
    ).toEqual([
      ["3", "1", 34_900, null],
      ["3", "2", 30_100, null],
      ["4", "2", 30_100, null],
    ]);
    expect(products.map(({ lineId, pairId }) => [lineId, pairId])).toEqual([
      ["1", "1"],
      ["2", "1"],
    ]);
  });

  it("counts the items that are in the order: one that left before it was stored insures nothing", () => {
    const findings = (phones: number, first: number, second: number) =>
      checkOrder(
        shopOrder([
          product("1", 34_900, "p", { quantity: 2, currentQuantity: phones }),
          plan("2", "p", { currentQuantity: first }),
          plan("3", "p", { variantId: "9012", amounts: [inEuros(2_990)], currentQuantity: second }),
        ]),
        catalogue,
      ).items.map(({ finding }) => finding);
    expect(findings(2, 1, 1)).toEqual([null, null]);
    expect(findings(1, 1, 1)).toEqual([null, "more_plans_than_products"]);
    expect(findings(1, 0, 1)).toEqual([null, null]);
    expect(findings(0, 0, 0)).toEqual([null, null]);
  });
});

describe("what each item cost", () => {
  it("adds up to the line, the odd cents on the first items", () => {
    expect(pricePaidByItem(inEuros(1_000, 1), 3)).toEqual([1_000, 1_000, 999]);
    expect(pricePaidByItem(inEuros(333, 0), 3)).toEqual([333, 333, 333]);
    expect(pricePaidByItem(inEuros(100, 100), 1)).toEqual([0]);
  });
});
