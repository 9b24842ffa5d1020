/** GET /proxy/offers: the storefront's request for offers that are not in the page. */
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { staff } from "#app/audit/actor.ts";
import { listRuns } from "#app/catalogue/runs/runs.server.ts";
import { clearLiveOffers } from "#app/offers/offers.server.ts";
import { saveStorefrontSettings } from "#app/offers/storefront-settings.server.ts";
import { storefrontSettings } from "#app/offers/storefront-settings.ts";
import { db } from "#app/platform/db.server.ts";
import { loader } from "#app/routes/proxy.offers.tsx";
import { applyRules, compactCatalogues, service, sync, variantOf } from "#test/catalogue/world.ts";
import { allowSale, connectShop, installApp } from "#test/install.ts";
import { conforms } from "#test/openapi/proxy-document.ts";
import { signedQuery } from "#test/sandbox/shop/storefront/app-proxy.ts";
import { insurance, otherShop, secrets, shop } from "#test/world.ts";

const PHONES = "Smartphone casse et vol";
const answer = z.object({
  currency: z.string(),
  products: z.array(
    z.object({
      variant_id: z.string(),
      category: z.string().nullable(),
      reason: z.string().nullable(),
      offers: z.array(
        z.object({
          reference_id: z.string(),
          plan_variant_id: z.string(),
          term: z.int(),
          price: z.int(),
          billing: z.string(),
          title: z.string(),
        }),
      ),
    }),
  ),
  categories: z.record(
    z.string(),
    z.object({ documents: z.array(z.object({ cg: z.string() })), texts: z.object({ headline: z.string() }) }),
  ),
});

function ask(query: string, { domain = shop.shopDomain } = {}) {
  const signed = signedQuery(new URLSearchParams(query), "/apps/parasol", {
    shopDomain: domain,
    apiSecret: secrets.apiSecret,
  });
  return loader({
    request: new Request(`http://app.test/proxy/offers?${signed.toString()}`),
    params: {},
    context: {},
  });
}

async function offersOf(...variants: string[]) {
  const response = await ask(`variants=${variants.join()}`);
  expect(response.status).toBe(200);
  await conforms("get /offers", response);
  return answer.parse(await response.json());
}

const phone = [...shop.state.products.values()].find(({ productType }) => /phone/i.test(productType));
const [variant] = phone?.variants ?? [];
if (!phone || !variant) throw new Error("The demo shop has no telephone");
const other = [...shop.state.products.values()].find(({ productType }) => productType !== phone.productType);
const uninsured = other?.variants[0]?.id ?? "";

beforeAll(async () => {
  await connectShop();
  await applyRules([
    { id: "phones", conditions: [{ field: "product_type", value: phone.productType }], categoryId: PHONES },
  ]);
  await sync();
});

describe("a request through the app proxy", () => {
  it.each([
    "",
    "variants=",
    "variants=abc",
    "variants=1;2",
    `variants=${Array.from({ length: 51 }, (_, index) => index).join()}`,
  ])("reports what is wrong with %j", async (query) => {
    const refusal = await ask(query);
    expect(refusal.status).toBe(400);
    await conforms("get /offers", refusal);
  });

  it("of a shop without the app gets no answer", async () => {
    const refusal = await ask("variants=1", { domain: otherShop.shopDomain });
    expect(refusal.status).toBe(404);
    await conforms("get /offers", refusal);
  });

  it("of one shop sees nothing of another", async () => {
    await installApp(otherShop.shopDomain);
    const response = await ask(`variants=${variant.id}`, { domain: otherShop.shopDomain });
    expect(answer.parse(await response.json()).products).toMatchObject([
      { reason: "product_unknown", offers: [] },
    ]);
  });
});

describe("a buyer whom the caller names", () => {
  const reasonFor = async (buyer: string) => {
    const response = await ask(`variants=${variant.id}&${buyer}`);
    await conforms("get /offers", response);
    const [product] = answer.parse(await response.json()).products;
    return product?.offers.length === 0 ? product.reason : null;
  };

  it("gets what the rule of sale allows, or the reason for none", async () => {
    expect(await reasonFor("country=FR&postcode=75020&company=false&currency=EUR")).toBeNull();
    expect(await reasonFor("country=BE")).toBe("other_country");
    expect(await reasonFor("country=fr&postcode=97400")).toBe("other_country");
    expect(await reasonFor("company=true")).toBe("company");
    expect(await reasonFor("currency=CHF")).toBe("other_currency");
    await allowSale({ countries: ["FR", "RE"], companies: true });
    expect(await reasonFor("country=FR&postcode=97400&company=true")).toBeNull();
    expect(await reasonFor("country=BE")).toBe("other_country");
    await allowSale({ countries: [], companies: false });
  });

  it("reports a country that does not exist", async () => {
    const refusal = await ask("variants=1&country=France");
    expect(refusal.status).toBe(400);
    await conforms("get /offers", refusal);
  });

  it("learns of the merchant's registration, which has to be shown with the offers", async () => {
    const registered = async () =>
      z.object({ registration_number: z.string().nullable() }).parse(await (await ask("variants=1")).json());
    expect(await registered()).toEqual({ registration_number: null });
    await allowSale({ registrationNumber: "07 001 234" });
    expect(await registered()).toEqual({ registration_number: "07 001 234" });
    await allowSale({ registrationNumber: "" });
  });
});

describe("the offers of a category that is the same for all products", () => {
  it("come from the synced catalogue, with the insurer untouched", async () => {
    insurance.traffic.clear();
    const { currency, products, categories } = await offersOf(variant.id);
    expect(currency).toBe("EUR");
    const [product] = products;
    const bands = compactCatalogues().get(PHONES)?.bands ?? [];
    const expected = bands.find(({ min, max }) => min <= variant.price && variant.price <= max)?.offers ?? [];
    expect(
      product?.offers.map(({ term, price, billing, plan_variant_id, reference_id }) => ({
        term,
        price,
        billing,
        variant: plan_variant_id,
        reference: reference_id,
      })),
    ).toEqual(expected);
    expect(product?.offers).toHaveLength(3);
    expect(categories[product?.category ?? ""]?.documents[0]?.cg).toMatch(/^http/);
    expect(service.offerCalls()).toBe(0);
  });

  it("are of each product's own price band where several are requested at once", async () => {
    const bands = compactCatalogues().get(PHONES)?.bands ?? [];
    const variants = [...shop.state.products.values()]
      .filter(({ productType }) => productType === phone.productType)
      .flatMap((each) => each.variants)
      .slice(0, 20);
    const expected = variants.map(({ price }) => {
      const band = bands.find(({ min, max }) => min <= price && price <= max);
      return band?.offers.map(({ reference }) => reference) ?? [];
    });
    expect(new Set(expected.map(String)).size).toBeGreaterThan(1);
    const { products } = await offersOf(...variants.map(({ id }) => id));
    expect(products.map(({ offers }) => offers.map((each) => each.reference_id))).toEqual(expected);
  });

  it("come in the merchant's order of terms, those that it does not name after the others", async () => {
    await saveStorefrontSettings(shop.shopDomain, storefrontSettings.parse({ terms: [24] }), staff("1"));
    const [product] = (await offersOf(variant.id)).products;
    expect(product?.offers.map(({ term }) => term)).toEqual([24, 12, 36]);
    await saveStorefrontSettings(shop.shopDomain, storefrontSettings.parse({}), staff("1"));
  });

  it("are none, with the reason, for what cannot be insured", async () => {
    const plan = variantOf("SMA-CV-12-01").variant.id;
    const { products } = await offersOf(uninsured, "404", plan);
    expect(products.map(({ variant_id: id, reason, offers }) => [id, reason, offers.length])).toEqual([
      [uninsured, "no_category", 0],
      ["404", "product_unknown", 0],
      [plan, "insurance_product", 0],
    ]);
  });
});

describe("the offers of a category that differs by product", () => {
  beforeAll(async () => {
    const { references } = await service.catalogue();
    const own = phone.variants.map(({ id }) => id);
    for (const { reference_id: id, ...fields } of references.filter((each) => each.category_id === PHONES)) {
      await service.putReference(`${id}-OWN`, {
        ...fields,
        currency_code: "EUR",
        contract_id: "C",
        title: "Own",
        price: fields.price - 100,
        product_reference_ids: own,
      });
    }
    await sync();
    await sync();
    expect(compactCatalogues().get(PHONES)?.live).toBe(true);
  });

  it("start a sync where the shop lacks one, but none for what it withholds", async () => {
    const [withheld, dearer] = (await service.catalogue()).references.filter(
      ({ reference_id: id, price_band_min: min, price_band_max: max }) =>
        id.endsWith("-OWN") && min <= variant.price && variant.price <= max,
    );
    if (!withheld || !dearer) throw new Error("The phone has fewer than two offers of its own");
    await service.putReference(withheld.reference_id, { billing: "monthly" });
    const { id } = await sync();
    const afterOffers = async () => {
      clearLiveOffers();
      await offersOf(variant.id);
      return (await listRuns(shop.shopDomain, "catalogue", 1))[0];
    };
    expect((await afterOffers())?.id).toBe(id);
    await service.putReference(dearer.reference_id, { price: dearer.price + 300 });
    expect(await afterOffers()).toMatchObject({ reason: "live", state: "queued" });
    for (const { reference_id, price, billing } of [withheld, dearer])
      await service.putReference(reference_id, { price, billing });
    await sync();
  });

  it("are requested once, however many shoppers wait", async () => {
    clearLiveOffers();
    insurance.traffic.clear();
    await Promise.all(Array.from({ length: 50 }, () => offersOf(variant.id)));
    expect(service.offerCalls()).toBe(1);
  });

  it("are those for the product, as soon as the shop sells them", async () => {
    clearLiveOffers();
    await offersOf(variant.id);
    await sync();
    const { products } = await offersOf(variant.id);
    expect(products[0]?.offers.length).toBe(3);
    for (const offer of products[0]?.offers ?? []) {
      expect(offer.reference_id).toMatch(/-OWN$/);
      expect(variantOf(offer.reference_id).variant).toMatchObject({
        id: offer.plan_variant_id,
        price: offer.price,
      });
    }
  });

  it("wait where the insurer's price has moved, on every request, until the shop has it", async () => {
    const offered = async () => (await offersOf(variant.id)).products[0]?.offers ?? [];
    const id = (await offered())[0]?.reference_id ?? "";
    const known = (await service.catalogue()).references.find(({ reference_id: each }) => each === id);
    if (!known) throw new Error("The insurer does not know the offer's reference");
    const price = known.price + 300;
    await service.putReference(id, { price });
    clearLiveOffers();
    for (let request = 1; request <= 2; request++)
      expect((await offered()).map(({ reference_id: each }) => each)).not.toContain(id);
    await sync();
    expect((await offered()).find(({ reference_id: each }) => each === id)).toMatchObject({ price });
  });

  it("are the lower band's alone at the price at which two bands meet", async () => {
    const own = (await service.catalogue()).references.filter(({ reference_id: id }) => id.endsWith("-OWN"));
    const lower = own.filter(
      ({ price_band_min: min, price_band_max: max }) => min <= variant.price && variant.price <= max,
    );
    const upper = own.filter(({ term, price_band_min: min }) =>
      lower.some((each) => each.term === term && each.price_band_max + 1 === min),
    );
    expect([lower.length, upper.length]).toEqual([3, 3]);
    for (const { reference_id: id } of lower)
      await service.putReference(id, { price_band_max: variant.price });
    for (const { reference_id: id } of upper)
      await service.putReference(id, { price_band_min: variant.price });
    clearLiveOffers();
    // The shopper's request stores the upper band's references, and the run writes them into the shop.
    await offersOf(variant.id);
    await sync();
    for (const { reference_id: id } of upper) expect(variantOf(id).variant.tracked).toBe(false);
    const [product] = (await offersOf(variant.id)).products;
    expect(product?.offers.map((offer) => offer.reference_id).sort()).toEqual(
      lower.map(({ reference_id: id }) => id).sort(),
    );
    for (const { reference_id: id, price_band_min, price_band_max } of [...lower, ...upper])
      await service.putReference(id, { price_band_min, price_band_max });
    await sync();
  });

  it("are requested again where another store is connected", async () => {
    await offersOf(variant.id);
    const connection = { shop: shop.shopDomain, environment: "test" };
    const { storeId } = await db.connection.findFirstOrThrow({ where: connection });
    // Its token is for another store, so this store gets no answer.
    await db.connection.updateMany({ where: connection, data: { storeId: "another-store" } });
    expect((await offersOf(variant.id)).products[0]).toMatchObject({ offers: [] });
    await db.connection.updateMany({ where: connection, data: { storeId } });
  });

  it("are served from the last answer while the insurer is away, and are none where there was no answer", async () => {
    await offersOf(variant.id);
    insurance.faults.add({ operation: "*", kind: "status", status: 503, times: null });
    expect((await offersOf(variant.id)).products[0]?.offers.length).toBe(3);
    clearLiveOffers();
    expect((await offersOf(variant.id)).products[0]).toMatchObject({
      reason: "insurer_unreachable",
      offers: [],
    });
    insurance.faults.clear();
  });
});
