/**
 * The bundled Function, with input that its own query reads by the published schema; and the checkout that it guards.
 */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { runRule, turnOnCartRule } from "#test/sandbox/shop/functions/cart-validation.ts";
import { readFunctions } from "#test/sandbox/shop/functions/function-file.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { putMetafield } from "#test/sandbox/shop/metafields.ts";
import { isPlan } from "../../extensions/storefront-scripts/cart-rules.ts";
import type { Line } from "../../extensions/storefront-scripts/cart-rules.ts";
import type { Band } from "../../extensions/catalogue.ts";
import { offerFor } from "../../extensions/checkout-offer/src/offer.ts";
import type { GivenLine } from "../../extensions/checkout-offer/src/offer.ts";
import { cases, phone, plan } from "./cart-cases.ts";
import { openTestShop } from "./shop.ts";
import type { TestShop } from "./shop.ts";

const [file] = readFunctions();
if (file === undefined) throw new Error("The app has no Function");

interface Given {
  step?: string;
  language?: string;
  currency?: string;
  /** by line key: the metafield of the plan's variant */
  bands?: Record<string, unknown>;
  /** by line key: the price in the plan's metafield */
  prices?: Record<string, unknown>;
  /** by line key: the category of the line's product */
  categories?: Record<string, string>;
  /** the properties that mark the plan */
  isTagged?: boolean;
  /** the shop's metafield; null: none */
  sale?: object | null;
  /** the delivery countries, one per delivery group */
  delivery?: { countryCode: string | null; zip?: string | null }[];
  isCompany?: boolean;
}

/** The full input; the Function's query selects from it. */
function inputOf(lines: Line[], given: Given = {}) {
  const { step, language, currency, bands = {}, prices = {}, isTagged = true, sale = null } = given;
  const { categories = {}, delivery = [], isCompany = false } = given;
  const lineOf = (line: Line): object => ({
    id: gid("CartLine", line.key),
    quantity: line.quantity,
    cost: { amountPerQuantity: { amount: String(line.price / 100), currencyCode: currency ?? "EUR" } },
    attribute: ({ key }: { key: string }) => ({ key, value: line.properties[key] ?? null }),
    parentRelationship: line.parent === undefined ? null : { parent: { id: gid("CartLine", line.parent) } },
    merchandise: {
      __typename: "ProductVariant",
      id: gid("ProductVariant", line.variant),
      sku: isTagged ? (line.properties["_parasol_reference"] ?? null) : "own",
      metafield: ({ key }: { key: string }) => {
        const jsonValue = (key === "band" ? bands : prices)[line.key];
        return jsonValue === undefined ? null : { jsonValue };
      },
      product: {
        title: isPlan(line) ? `Assurance ${line.key}` : "Lumo",
        isGiftCard: line.isLocked ?? false,
        metafield: categories[line.key] === undefined ? null : { value: categories[line.key] },
      },
    },
  });
  return {
    buyerJourney: { step: step ?? "CHECKOUT_COMPLETION" },
    localization: { language: { isoCode: language ?? "EN" } },
    shop: { metafield: sale === null ? null : { jsonValue: sale } },
    cart: {
      buyerIdentity: { purchasingCompany: isCompany ? { company: { id: gid("Company", "1") } } : null },
      deliveryGroups: delivery.map((address) => ({ deliveryAddress: { zip: null, ...address } })),
      lines: lines.map(lineOf),
    },
  };
}
const refusals = (lines: Line[], given?: Given) => runRule(file, inputOf(lines, given));

describe("the table of cases that storefront and server keep: the checkout refuses what they would change", () => {
  test.each(cases)("%s", async (_name, lines, changes) => {
    const refused = await refusals(lines);
    for (const key of Object.keys(changes)) expect(refused.join(" ")).toContain(`Assurance ${key}”`);
    expect(refused).toHaveLength(Object.keys(changes).length);
  });
});

describe("what the checkout's offer adds to the carts of that table", () => {
  const offer = {
    term: 24,
    price: 3_200,
    billing: "annually",
    variant: "77",
    reference: "REF-OFFER",
  } as const;
  const bands: Band[] = [{ min: 0, max: 99_999, offers: [offer] }];
  const given = (line: Line): GivenLine => ({
    id: gid("CartLine", line.key),
    quantity: line.quantity,
    merchandise: { id: gid("ProductVariant", line.variant) },
    cost: { totalAmount: { amount: (line.price * line.quantity) / 100, currencyCode: "EUR" } },
    discountAllocations: [],
    attributes: Object.entries(line.properties).map(([key, value]) => ({ key, value })),
    parentRelationship: line.parent === undefined ? null : { parent: { id: gid("CartLine", line.parent) } },
  });

  test.each(cases)("is accepted, as much as it offers: %s", async (_name, all, changes) => {
    const lines = all.flatMap((line): Line[] => {
      const quantity = changes[line.key] ?? line.quantity;
      return quantity === 0 ? [] : [{ ...line, quantity }];
    });
    expect(await refusals(lines)).toEqual([]);
    for (const product of lines.filter((line) => !isPlan(line) && line.isLocked !== true)) {
      const found = offerFor(given(product), lines.map(given), { bands, price: product.price, terms: [] });
      if (found === null) continue;
      const properties = {
        _parasol_pair: found.pair,
        _parasol_variant: product.variant,
        _parasol_reference: "R",
      };
      const { pieces: quantity } = found;
      const added: Line = {
        key: "new",
        variant: "77",
        price: 3_200,
        parent: product.key,
        quantity,
        properties,
      };
      expect(await refusals([...lines, added])).toEqual([]);
      expect(await refusals([...lines, { ...added, quantity: quantity + 1 }])).not.toEqual([]);
    }
  });
});

describe("a shop that sells no insurance now", () => {
  const cart = [phone(1), plan("a", 1, 3_200)];

  it("lets no plan through the checkout, though it fits its product", async () => {
    const sale = { selling: false, countries: [], companies: true };
    expect(await refusals(cart, { sale })).toEqual([
      "“Assurance a” is not sold at the moment. Take it out of the cart.",
    ]);
    expect(await refusals([phone(1)], { sale })).toEqual([]);
  });

  it.each([{ selling: true }, {}, null])("and sells again where its metafield is %j", async (sale) => {
    expect(await refusals(cart, { sale })).toEqual([]);
  });
});

describe("a buyer to whom the merchant sells nothing", () => {
  const cart = [phone(1), plan("a", 1, 3_200)];
  const sale = { selling: true, countries: ["FR", "RE"], companies: false };
  const country = expect.stringContaining("is not sold for delivery to this address") as string;

  it.each<[where: string, refused: string[], given: Given]>([
    ["in a country of the merchant's", [], { delivery: [{ countryCode: "FR", zip: "75020" }] }],
    [
      "overseas by postcode, where the merchant sells",
      [],
      { delivery: [{ countryCode: "FR", zip: "97400" }] },
    ],
    ["overseas by code, where the merchant sells", [], { delivery: [{ countryCode: "RE", zip: "97400" }] }],
    [
      "overseas by postcode, where the merchant does not",
      [country],
      { delivery: [{ countryCode: "FR", zip: "97110" }] },
    ],
    ["in another country", [country], { delivery: [{ countryCode: "BE", zip: "1000" }] }],
    [
      "with a second delivery elsewhere",
      [country],
      { delivery: [{ countryCode: "FR" }, { countryCode: "BE" }] },
    ],
    ["who has named no address", [], { delivery: [{ countryCode: null }] }],
    [
      "who buys for a company",
      [expect.stringContaining("is not sold to companies") as string],
      { isCompany: true },
    ],
  ])("%s: %j", async (_where, refused, given) => {
    expect(await refusals(cart, { sale, ...given })).toEqual(refused);
    // The rule ignores a purchase without insurance.
    expect(await refusals([phone(1)], { sale, ...given })).toEqual([]);
  });

  it("is a company no longer once the merchant sells to them", async () => {
    expect(await refusals(cart, { sale: { ...sale, companies: true }, isCompany: true })).toEqual([]);
  });

  it.each(["FR", "DE", "ES", "IT", "NL", "PT_BR"])(
    "reads why in their own language: %s",
    async (language) => {
      const english = await refusals(cart, { sale, isCompany: true });
      const [own, elsewhere] = [
        await refusals(cart, { sale, language, isCompany: true }),
        await refusals(cart, { sale, language, delivery: [{ countryCode: "BE" }] }),
      ];
      for (const messages of [own, elsewhere]) {
        expect(messages).toHaveLength(1);
        expect(messages).not.toEqual(english);
      }
    },
  );
});

describe("a plan's band", () => {
  const cart = (price: number) => [phone(1, { price }), plan("a", 1, 3_200)];
  const bands = { a: [20_000, 59_999, "EUR"] };

  it("has to hold the product's price, both ends inclusive", async () => {
    for (const price of [20_000, 59_999]) expect(await refusals(cart(price), { bands })).toEqual([]);
    for (const price of [19_999, 60_000])
      expect(await refusals(cart(price), { bands })).toEqual([
        "“Assurance a” does not fit the product that it is for. Take it out of the cart, and choose the insurance again.",
      ]);
  });

  it("names the categories whose products it is for: a plan of another universe is refused", async () => {
    const lines = cart(40_000);
    const of = (...keys: string[]) => ({ a: [20_000, 59_999, "EUR", keys] });
    const phones = { phone: "phones_1" };
    for (const keys of [["phones_1"], ["theft_2", "phones_1"], []])
      expect(await refusals(lines, { bands: of(...keys), categories: phones })).toEqual([]);
    expect(await refusals(lines, { bands: of("cameras_3"), categories: phones })).toEqual([
      expect.stringContaining("does not fit the product"),
    ]);
    // Unknown values are not judged.
    expect(await refusals(lines, { bands: of("cameras_3") })).toEqual([]);
  });

  it("is each plan's own: two bands that overlap may both be in the cart", async () => {
    const lines = [phone(2, { price: 30_000 }), plan("a", 1, 3_200), plan("b", 1, 4_800)];
    expect(await refusals(lines, { bands: { ...bands, b: [25_000, 99_999, "EUR"] } })).toEqual([]);
  });

  it("says nothing of prices in another currency, of gifts, and where it cannot be read", async () => {
    expect(await refusals(cart(99_900), { bands, currency: "GBP" })).toEqual([]);
    expect(await refusals([phone(1, { price: 0 }), plan("a", 1, 3_200)], { bands })).toEqual([]);
    for (const odd of [{}, "20000", [1], [1, "2", "EUR"]])
      expect(await refusals(cart(99_900), { bands: { a: odd } })).toEqual([]);
  });
});

describe("a plan's price", () => {
  const bands = { a: [20_000, 59_999, "EUR"] };
  const cart = (price: number) => [phone(1), plan("a", 1, price)];

  it("is the one that it is offered for: what a market's price list charges beyond or below it is refused", async () => {
    const prices = { a: 3_200 };
    expect(await refusals(cart(3_200), { bands, prices })).toEqual([]);
    for (const price of [3_199, 3_360])
      expect(await refusals(cart(price), { bands, prices })).toEqual([
        "The price of “Assurance a” is not the one that you agreed to. Take it out of the cart; your order goes on without it.",
      ]);
  });

  it.each([
    ["FR", "Le prix de «\u00a0Assurance a\u00a0» n’est pas celui que vous avez accepté."],
    ["DE", "Der Preis von „Assurance a“ ist nicht der"],
    ["ES", "El precio de «Assurance a» no es el que usted aceptó."],
    ["IT", "Il prezzo di «Assurance a» non è quello che ha accettato."],
    ["NL", "De prijs van “Assurance a” is niet de prijs"],
    ["PT_BR", "O preço de “Assurance a” não é o que aceitou."],
    ["PT_PT", "O preço de “Assurance a” não é o que aceitou."],
    ["PL", "The price of “Assurance a” is not the one that you agreed to."],
  ])("is refused in the buyer's language: %s", async (language, text) => {
    const [message] = await refusals(cart(3_360), { bands, prices: { a: 3_200 }, language });
    expect(message).toContain(text);
  });

  it("is not compared where it is not known, nor in another currency", async () => {
    expect(await refusals(cart(3_360), { bands })).toEqual([]);
    expect(await refusals(cart(3_360), { bands, prices: { a: "3200" } })).toEqual([]);
    expect(await refusals(cart(3_360), { bands, prices: { a: 3_200 }, currency: "CHF" })).toEqual([]);
  });
});

describe("a plan that came without our properties", () => {
  const bare = (parent?: string, quantity = 1): Line => ({
    ...plan("a", quantity, 3_200, { parent }),
    properties: {},
  });
  const bands = { a: [20_000, 59_999, "EUR"] };

  it("is known by its variant, and belongs to the line that it is nested under", async () => {
    const product = phone(1, { properties: {} });
    const isTagged = false;
    expect(await refusals([product, bare("phone")], { bands, isTagged })).toEqual([]);
    expect(await refusals([product, bare("phone", 2)], { bands, isTagged })).toHaveLength(1);
    expect(
      await refusals([phone(1, { properties: {}, price: 99_900 }), bare("phone")], { bands }),
    ).toHaveLength(1);
    expect(await refusals([product, bare()], { bands, isTagged })).toEqual([
      "“Lumo” insures a product that is not in your cart. Take it out of the cart, or add the product.",
    ]);
  });

  it("belongs to the line of the variant that it names, where neither pair nor nesting is left", async () => {
    const line = plan("a", 1, 3_200, { parent: undefined, properties: { _parasol_pair: "" } });
    expect(await refusals([phone(1, { properties: {} }), line], { bands })).toEqual([]);
  });
});

describe("the checkout goes on", () => {
  const lone = [plan("a", 1, 3_200, { parent: undefined })];

  it("while the cart is being changed, and at a step that is not known", async () => {
    expect(await refusals(lone, { step: "CHECKOUT_INTERACTION" })).toHaveLength(1);
    expect(await refusals(lone, { step: "CART_INTERACTION" })).toEqual([]);
    expect(await runRule(file, { ...inputOf(lone), buyerJourney: { step: null } })).toEqual([]);
  });

  it("where a product of the merchant's only claims to be a plan", async () => {
    expect(await refusals(lone, { isTagged: false })).toEqual([]);
  });

  it.each([
    null,
    {},
    { buyerJourney: { step: "CHECKOUT_COMPLETION" }, cart: { lines: "none" } },
    { buyerJourney: { step: "CHECKOUT_COMPLETION" }, cart: { lines: [null, 7, {}] } },
    {
      buyerJourney: { step: "CHECKOUT_COMPLETION" },
      get cart() {
        return { lines: [{ id: 1, quantity: "2" }] };
      },
    },
  ])("on input of another shape: %j", async (input) => {
    expect(await file.run(input)).toEqual({ operations: [] });
  });

  it("where one line cannot be read: it may be the product", async () => {
    const input = JSON.parse(
      JSON.stringify({
        buyerJourney: { step: "CHECKOUT_COMPLETION" },
        cart: {
          lines: [
            { id: "1", quantity: 1 },
            {
              id: "2",
              quantity: 1,
              cost: { amountPerQuantity: { amount: "32.0", currencyCode: "EUR" } },
              reference: { value: "R" },
              merchandise: { id: "gid://shopify/ProductVariant/9", sku: "R", product: { title: "A" } },
            },
          ],
        },
      }),
    ) as { cart: { lines: object[] } };
    expect(await file.run(input)).toEqual({ operations: [] });
    input.cart.lines.shift();
    expect(await file.run(input)).toMatchObject({
      operations: [{ validationAdd: { errors: [{ target: "$.cart" }] } }],
    });
  });
});

it.each([200, 500])("judges a cart of %i lines at once", async (count) => {
  const lines = Array.from({ length: count / 2 }, (_, index) => [
    phone(1, { key: `p${index}`, properties: { _parasol_pair: `${index}` } }),
    plan(`a${index}`, 2, 3_200, { parent: `p${index}`, properties: { _parasol_pair: `${index}` } }),
  ]).flat();
  expect(await refusals(lines)).toHaveLength(10);
});

it("says no more than Shopify takes, however many plans with long titles are refused", async () => {
  const lines = Array.from({ length: 100 }, (_, index) =>
    plan(`${index}`.padEnd(150, "A"), 1, 3_200, { parent: undefined }),
  );
  expect(await refusals(lines)).toHaveLength(10);
});

describe("the till", () => {
  let shop: TestShop;
  let address: string;
  const customer = {
    email: "lea@example.com",
    last_name: "Martin",
    address1: "1 rue de la Paix",
    zip: "75002",
    city: "Paris",
  };
  beforeAll(async () => {
    shop = await openTestShop();
    address = shop.planVariant("SMA-400-24");
    putMetafield(shop.state, gid("ProductVariant", address), "$app", "band", "json", '[40000,59999,"EUR"]');
  });
  afterAll(() => shop.close());

  /** A new buyer with these lines. @returns the checkout's messages when they pay */
  async function buy(path: string, language = "fr") {
    const first = await fetch(`${shop.origin}${path}`, { redirect: "manual" });
    const cookie = (first.headers.getSetCookie()[0]?.split(";")[0] ?? "") + `; locale=${language}`;
    return pay(cookie);
  }

  async function pay(cookie: string, changes: Record<string, string> = {}) {
    const paid = await fetch(`${shop.origin}/checkout`, {
      method: "POST",
      headers: { cookie },
      body: new URLSearchParams({ ...customer, ...changes }),
      redirect: "manual",
    });
    return { status: paid.status, text: await paid.text() };
  }

  const variant = (title: string) =>
    [...shop.state.products.values()].flatMap((each) => each.variants).find((each) => each.title === title)
      ?.id ?? "";
  /** A new cart with this phone and its plans. @returns its cookie */
  async function fill(title: string, quantity = 1): Promise<string> {
    const opened = await fetch(`${shop.origin}/cart.js`);
    const cookie = opened.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const id = variant(title);
    const properties = { _parasol_pair: id, _parasol_variant: id, _parasol_reference: "SMA-400-24" };
    const added = await fetch(`${shop.origin}/cart/add.js`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json" },
      body: JSON.stringify({
        items: [
          { id, quantity: 1, properties: { _parasol_pair: id } },
          { id: address, quantity, properties, parent_id: id },
        ],
      }),
    });
    expect(added.status).toBe(200);
    return cookie;
  }

  it("refuses a plan that was put into the cart alone, in the buyer's language, once the rule is on", async () => {
    const orders = () => shop.state.orders.size;
    const before = orders();
    expect((await buy(`/cart/${address}:1`)).status).toBe(303);
    expect(orders()).toBe(before + 1);
    turnOnCartRule(shop.sandbox);
    const refused = await buy(`/cart/${address}:1`);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("« Assurance Smartphone casse et vol » assure un article qui n’est pas");
    expect((await buy(`/cart/${address}:1`, "en")).text).toContain(
      "insures a product that is not in your cart",
    );
    expect(orders()).toBe(before + 1);
  });

  it("sells a product with the plan of its band, and says at once what does not fit", async () => {
    const add = async (title: string, quantity = 1) => {
      const cookie = await fill(title, quantity);
      return (await fetch(`${shop.origin}/checkout`, { headers: { cookie } })).text();
    };
    expect(await add("128 Go")).not.toContain('role="alert"');
    expect(await add("128 Go", 2)).toContain("plus de « Assurance Smartphone casse et vol » que d’articles");
    expect(await add("512 Go")).toContain("ne correspond pas à l’article concerné");
  });

  it("lets the buyer of an address pay to which the merchant sells, and no other", async () => {
    const sale = JSON.stringify({ selling: true, countries: ["FR", "RE"], companies: false });
    putMetafield(shop.state, gid("Shop", shop.state.id), "$app", "sale", "json", sale);
    const cookie = await fill("128 Go");
    const elsewhere = await pay(cookie, { country_code: "FR", zip: "97110" });
    expect(elsewhere.status).toBe(422);
    expect(elsewhere.text).toContain("n’est pas vendue pour une livraison à cette adresse");
    expect((await pay(cookie, { country_code: "RE", zip: "97400" })).status).toBe(303);
    expect((await pay(await fill("128 Go"))).status).toBe(303);
  });
});
