/** The page Touchpoints: saved values show in the storefront; an invalid value is refused and changes nothing. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { jobHandlers } from "#app/processes/job-handlers.server.ts";
import { db } from "#app/platform/db.server.ts";
import { toCartSection } from "#app/offers/editor-links.ts";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { loader as home } from "#app/routes/app._index/route.tsx";
import { loader as goLive } from "#app/routes/app.go-live/route.tsx";
import { action as saveSettings, loader as settingsLoader } from "#app/routes/app.settings/route.tsx";
import { action as changeRule } from "#app/routes/app.touchpoints_.rule.tsx";
import { action as fixPrices } from "#app/routes/app.touchpoints_.prices.tsx";
import { action, loader } from "#app/routes/app.touchpoints/route.tsx";
import { invalid, refused, success } from "#app/ui/action-result.ts";
import { connectShop, installApp } from "#test/install.ts";
import { deepLink, linkedPlace } from "#test/sandbox/shop/theme-editor.ts";
import { otherShop, sessionToken, shop } from "#test/world.ts";
import { ask, responseOf } from "./ask.ts";

const page = async (domain?: string) => {
  const answer = await ask(loader, "/app/touchpoints", { domain });
  return {
    ...answer,
    cartSection: await answer.cartSection,
    gaps: await answer.gaps,
    priceLists: await answer.priceLists,
  };
};
const save = (json: unknown, domain?: string) => ask(action, "/app/touchpoints", { json, domain });

/** The theme extension's data: the app-data metafields of a shop, as JSON. */
function storefront(of = shop): Record<string, unknown> {
  const ours = [...of.state.metafields.values()].filter(({ namespace }) =>
    ["settings", "touchpoints"].includes(namespace),
  );
  return Object.fromEntries(
    ours.map(({ namespace, key, value }) => [`${namespace}.${key}`, JSON.parse(value)]),
  );
}

const chosen = {
  insurer: "",
  insurer_address: "",
  complaints: "",
  covers: {},
  language: "en",
  terms: [36, 12],
  touchpoints: {
    product_page: { on: true, format: "tabs", asks: true },
    cart: { on: false },
    mini_cart: { on: true },
    checkout: { on: false },
  },
  texts: { fr: { headline: "Protégez votre achat" }, "pt-BR": { buy: "Proteger" } },
};

beforeAll(async () => {
  await connectShop();
  await installApp(otherShop.shopDomain);
});

test("a new shop has every touchpoint on, its own words nowhere, and Parasol's words for each language", async () => {
  const { settings, extensionTexts, links } = await page();
  expect(settings).toMatchObject({
    terms: [],
    texts: {},
    touchpoints: {
      product_page: { on: true, format: "radio", asks: false },
      cart: { on: true },
      mini_cart: { on: true },
    },
  });
  expect(extensionTexts.fr.decline).toBe("Sans assurance");
  expect(extensionTexts.en.decline).toBe("No insurance");
  expect(links.get("product_page")).toContain(`https://${shop.shopDomain}/admin/themes/current/editor?`);
  expect(links.get("mini_cart")).toContain("context=apps");
});

test.each(["dawn-like", "horizon-like"])(
  "in the %s theme the links place each block in a section that takes it",
  async (theme) => {
    const before = shop.state.theme;
    shop.state.theme = { ...before, name: theme };
    const { links, cartSection } = await page();
    const placeOf = (link = "") =>
      linkedPlace(shop.state, deepLink.parse(Object.fromEntries(new URL(link).searchParams)));
    expect(placeOf(links.get("product_page"))).toBe("product");
    // Before the app has read the theme: a section of its own. No cart has a section with the id main.
    expect(placeOf(links.get("cart"))).toBe("cart:below");
    expect(placeOf(links.get("cart")?.replace("newAppsSection", "mainSection"))).toBeNull();
    expect(placeOf(toCartSection(links.get("cart") ?? "", cartSection))).toBe("cart");
    expect(toCartSection(links.get("mini_cart") ?? "", cartSection)).toBe(links.get("mini_cart"));
    shop.state.theme = before;
  },
);

test("what is saved is what the storefront reads at once, and what the page shows", async () => {
  expect(await save(chosen)).toEqual(success("saved"));
  expect(storefront()).toMatchObject({
    "settings.storefront": chosen,
    "touchpoints.product_page": true,
    "touchpoints.cart": false,
    "touchpoints.mini_cart": true,
  });
  expect((await page()).settings).toEqual(chosen);
});

test.each([
  ["texts", "a text that is too long", { ...chosen, texts: { fr: { headline: "x".repeat(501) } } }],
  [
    "touchpoints",
    "a format that does not exist",
    { ...chosen, touchpoints: { product_page: { format: "popup" } } },
  ],
  ["terms", "a term of no months", { ...chosen, terms: [0] }],
  ["texts", "a language that is none", { ...chosen, texts: { "<script>": { headline: "x" } } }],
])("%s: %s is refused, and nothing is changed", async (field, _, given) => {
  const before = storefront();
  expect(await save(given)).toEqual(invalid({ [field]: "malformed" }));
  expect(storefront()).toEqual(before);
  expect((await page()).settings).toEqual(chosen);
});

test.each([
  ["no object", { json: "on" }],
  ["no JSON", { form: { terms: "3" } }],
])("a body that is %s gets 400", async (_, given) => {
  expect((await responseOf(ask(action, "/app/touchpoints", given))).status).toBe(400);
  expect((await page()).settings).toEqual(chosen);
});

/** The pending jobs of the storefront's settings. */
const waiting = () =>
  db.$queryRaw`SELECT id FROM pgboss.job WHERE name = 'storefront-settings' AND state = 'created'
    AND group_id = ${shop.shopDomain}`;
const workOff = () =>
  jobHandlers["storefront-settings"](
    { shop: shop.shopDomain },
    { signal: new AbortController().signal, isTimeSliceUsed: () => false },
  );

test.each([403, 503])("a shop that answers %i now is updated by a job", async (status) => {
  shop.faults.add({ operation: "admin", status, times: 10 });
  const later = { ...chosen, terms: [status] };
  const before = storefront();
  expect(await save(later)).toEqual(success("not_shown"));
  shop.faults.clear();
  expect((await page()).settings).toEqual(later);
  expect(storefront()).toEqual(before);
  expect(await waiting()).toHaveLength(1);
  await workOff();
  expect(storefront()).toMatchObject({ "settings.storefront": later });
});

test("a consent text has a version of its own, which changes with it alone; every text that was shown is kept", async () => {
  const agree = (consent: string) => save({ ...chosen, texts: { fr: { consent } } });
  const published = () => storefront()["settings.storefront"];
  const versionOf = (consent: string) =>
    createHash("sha256").update(consent).digest("base64url").slice(0, 12);
  const [first, second] = ["J’accepte.", "J’accepte tout."] as const;
  for (const consent of [first, second, first]) {
    expect(await agree(consent)).toEqual(success("saved"));
    expect(published()).toMatchObject({ texts: { fr: { consent, consent_version: versionOf(consent) } } });
  }
  const kept = await db.consentText.findMany({ where: { shop: shop.shopDomain } });
  const ours = Object.values((await page()).extensionTexts).map(({ consent }) => consent);
  expect(kept.map(({ text }) => text).toSorted()).toEqual([first, second, ...ours].toSorted());
  for (const { text, version } of kept) expect(version).toBe(versionOf(text));
  expect(await db.consentText.count({ where: { shop: otherShop.shopDomain, text: first } })).toBe(0);
  await save(chosen);
});

describe("a published language", () => {
  const marketing = {
    modal: { bulletPoints: ["Casse"], legalText: "Vous pouvez renoncer sous 14 jours." },
  };
  const row = { shop: shop.shopDomain, environment: "test", categoryId: "Phones", marketing, legal: {} };
  beforeAll(async () => {
    await db.category.create({ data: { ...row, state: "offered" } });
    shop.state.publishedLanguages = ["fr", "en"];
  });
  afterAll(async () => {
    await db.category.deleteMany({ where: { shop: row.shop, categoryId: row.categoryId } });
    shop.state.publishedLanguages = ["fr"];
    await save(chosen);
  });
  const gapOf = { language: "en", missing: ["headline", "bullets", "legal"] };

  test("without cover is named here, on Home and before going live, until the merchant writes it", async () => {
    await save({ ...chosen, language: "fr" });
    const { gaps, categories, withdrawalDays } = await page();
    expect(gaps).toEqual([gapOf]);
    expect(categories).toEqual([
      {
        key: categoryKey("Phones"),
        name: "Phones",
        bullets: ["Casse"],
        formulas: [],
        legal: marketing.modal.legalText,
      },
    ]);
    expect(withdrawalDays).toBe(30);
    expect(await (await ask(home, "/app")).gaps).toEqual([gapOf]);
    expect(await (await ask(goLive, "/app/go-live")).gaps).toEqual([gapOf]);
    const covers = { en: { [categoryKey("Phones")]: { bullets: ["Screen"], exclusions: ["Scratches"] } } };
    expect(await save({ ...chosen, language: "fr", insurer: "Voltigeur", covers })).toEqual(success("saved"));
    expect((await page()).gaps).toEqual([]);
    expect((await ask(goLive, "/app/go-live")).insurer).toBe("Voltigeur");
    expect(storefront()["settings.storefront"]).toMatchObject({ insurer: "Voltigeur", covers });
  });
});

test("the days to withdraw of the settings are in every offer, as soon as they change", async () => {
  const published = () => storefront()["settings.storefront"];
  const { settings, version } = await ask(settingsLoader, "/app/settings");
  expect(published()).toMatchObject({
    withdrawal_days: 30,
    withdrawal_page: `http://app.test/withdrawals/${shop.shopDomain}`,
  });
  const json = { intent: "save", settings: { ...settings, withdrawalDays: 60 } };
  await ask(saveSettings, `/app/settings?version=${version}`, { json });
  await workOff();
  expect(published()).toMatchObject({ withdrawal_days: 60 });
  await ask(saveSettings, "/app/settings", { json: { intent: "save", settings } });
  await workOff();
});

test("in whatever order the shop gets them: the remaining job wins", async () => {
  await Promise.all([1, 2, 3].map((term) => save({ ...chosen, terms: [term] })));
  expect(await waiting()).toHaveLength(1);
  await workOff();
  expect(storefront()).toMatchObject({ "settings.storefront": (await page()).settings });
});

test("another shop has its own", async () => {
  const ours = storefront();
  expect((await page(otherShop.shopDomain)).settings.terms).toEqual([]);
  expect(await save({ ...chosen, terms: [99] }, otherShop.shopDomain)).toEqual(success("saved"));
  expect(storefront()).toEqual(ours);
  expect(storefront(otherShop)).toMatchObject({ "settings.storefront": { terms: [99] } });
  expect((await page()).settings.terms).not.toEqual([99]);
});

describe("the rule at the checkout", () => {
  const ruleOf = async () => (await ask(loader, "/app/touchpoints")).rule;
  const send = (intent: string) => ask(changeRule, "/app/touchpoints/rule", { form: { intent } });
  const { state } = shop;
  const noted = () =>
    db.auditEntry.count({ where: { shop: shop.shopDomain, action: { startsWith: "checkout_rule" } } });
  const grant = (scopes: readonly string[]) => {
    if (state.installation) state.installation = { ...state.installation, scopes: [...scopes] };
  };
  /** A rule of another app, or the app's own from another Function. */
  const rule = (part: Partial<(typeof state.validations)[number]>) => ({
    id: String(1_000 + state.validations.length),
    title: "Rule",
    appKey: "other-app",
    functionHandle: "cart-validation",
    enabled: true,
    blockOnFailure: false,
    ...part,
  });
  afterAll(() => {
    state.validations = [];
    grant(shop.app.scopes);
  });

  test("is not known without the permission, which turning it on requests; nothing is changed before", async () => {
    expect(await ruleOf()).toBe("no_permission");
    expect(await send("turn_on")).toEqual(refused("no_permission"));
    expect([state.validations, await noted()]).toEqual([[], 0]);
    expect((await responseOf(send("explode"))).status).toBe(400);
  });

  test("is turned on in the shop, once, so that a failure of its own stops no shopper, and off again", async () => {
    grant([...shop.app.scopes, ...shop.app.optionalScopes]);
    // Long enough that all requests have read the rules before the first creates one.
    shop.faults.add({ operation: "admin", kind: "latency", ms: 100, times: null });
    const clicks = Array.from({ length: 3 }, () => send("turn_on"));
    expect(await Promise.all(clicks)).toEqual(Array(3).fill(success("turn_on")));
    shop.faults.clear();
    expect(state.validations).toMatchObject([
      { appKey: shop.apiKey, functionHandle: "cart-validation", enabled: true, blockOnFailure: false },
    ]);
    expect([await ruleOf(), await noted()]).toEqual(["on", 1]);
    expect(await send("turn_off")).toEqual(success("turn_off"));
    expect(await send("turn_off")).toEqual(success("turn_off"));
    expect([await ruleOf(), await noted()]).toEqual(["off", 2]);
    // The same rule again instead of a second one.
    expect(await send("turn_on")).toEqual(success("turn_on"));
    expect(state.validations).toHaveLength(1);
  });

  test("is not changed by another shop's staff, whatever shop they name, nor by who has no valid token", async () => {
    const before = JSON.stringify(state.validations);
    const path = `/app/touchpoints/rule?shop=${shop.shopDomain}`;
    const form = { intent: "turn_off", shop: shop.shopDomain, id: state.validations[0]?.id ?? "" };
    const domain = otherShop.shopDomain;
    // The other shop has not granted access to its rules, so this request read the other shop's.
    for (const intent of ["turn_off", "turn_on"])
      expect(await ask(changeRule, path, { domain, form: { ...form, intent } })).toEqual(
        refused("no_permission"),
      );
    // Their own permission gives access to their own rules only: they create a rule and deactivate it.
    const theirs = otherShop.state;
    if (theirs.installation)
      theirs.installation.scopes = [...otherShop.app.scopes, ...otherShop.app.optionalScopes];
    for (const intent of ["turn_on", "turn_off"])
      expect(await ask(changeRule, path, { domain, form: { ...form, intent } })).toEqual(success(intent));
    expect(theirs.validations).toMatchObject([{ enabled: false }]);
    for (const token of [null, await sessionToken(shop.shopDomain, "not the app's secret")])
      expect([302, 401]).toContain((await responseOf(ask(changeRule, path, { form, token }))).status);
    expect(JSON.stringify(state.validations)).toBe(before);
  });

  test("is shown as the shop has it, also after a change there", async () => {
    const [own] = state.validations;
    if (!own) throw new Error("There is no rule");
    own.blockOnFailure = true;
    expect(await ruleOf()).toBe("blocking");
    expect(await send("turn_off")).toEqual(success("turn_off"));
    expect(own).toMatchObject({ enabled: false, blockOnFailure: true });
    own.enabled = true;
    expect(await send("turn_on")).toEqual(success("turn_on"));
    expect([own.blockOnFailure, await ruleOf()]).toEqual([false, "on"]);
    state.validations = [];
    expect(await ruleOf()).toBe("off");
    // Another app's Function may have the same handle.
    state.validations = [rule({})];
    expect(await ruleOf()).toBe("off");
  });

  test("is found again after a new installation, if the shop has kept it", async () => {
    state.validations = [rule({ appKey: shop.apiKey })];
    grant(shop.app.scopes);
    expect(await send("turn_on")).toEqual(refused("no_permission"));
    expect(await ruleOf()).toBe("no_permission");
    grant([...shop.app.scopes, ...shop.app.optionalScopes]);
    expect(await send("turn_on")).toEqual(success("turn_on"));
    expect([state.validations.length, await ruleOf()]).toEqual([1, "on"]);
  });

  test("says why the shop does not take it: the limit, a version without the Function, no answer", async () => {
    state.validations = Array.from({ length: 25 }, (_, index) => rule({ id: String(2_000 + index) }));
    expect([await ruleOf(), await send("turn_on")]).toEqual(["limit_reached", refused("limit_reached")]);
    state.validations = [];
    shop.api.hasFunctions = false;
    expect([await ruleOf(), await send("turn_on")]).toEqual(["not_deployed", refused("not_deployed")]);
    shop.api.hasFunctions = true;
    const before = await noted();
    shop.faults.add({ operation: "ParasolCreateCheckoutRule", status: 500, times: 1 });
    // Sent once: whether the shop has created it is unknown.
    expect(await send("turn_on")).toEqual(refused("shop_unavailable"));
    shop.faults.add({ operation: "admin", status: 500, times: 8 });
    expect(await ruleOf()).toBeNull();
    shop.faults.clear();
    expect([await ruleOf(), await noted()]).toEqual(["off", before]);
  });
});

test("a market that changes plan prices is named until the plans have fixed prices there", async () => {
  const { state } = shop;
  const [product] = state.products.values();
  const variant = product?.variants[0];
  if (!product || !variant) throw new Error("The shop has no product");
  const priceList = { id: "77", adjustment: -10, fixedPrices: new Map<string, number>() };
  const belgium = { id: "7", name: "Belgique", currency: "EUR", localCurrencies: false, active: true };
  const inOtherCurrency = { ...belgium, id: "8", name: "Suisse", currency: "CHF" };
  state.markets.push(
    { ...belgium, priceList },
    { ...inOtherCurrency, priceList: { ...priceList, id: "78", fixedPrices: new Map() } },
  );
  onTestFinished(async () => {
    state.markets.splice(-2);
    await db.syncedVariant.deleteMany({ where: { shop: shop.shopDomain } });
  });
  expect((await page()).priceLists).toEqual([]);
  const plan = { shop: shop.shopDomain, variantId: variant.id, productId: product.id, environment: "test" };
  await db.syncedVariant.create({
    data: { ...plan, referenceId: "SMA-200-24", onSale: true, priceMinor: 3_210 },
  });
  const named = { id: "77", name: "Belgique", percent: -10, plansToFix: 1 };
  expect((await page()).priceLists).toEqual([named]);

  const fix = (id: string) => ask(fixPrices, "/app/touchpoints/prices", { form: { priceList: id } });
  expect(await fix("77")).toEqual(success("77"));
  expect(priceList.fixedPrices).toEqual(new Map([[variant.id, 3_210]]));
  expect((await page()).priceLists).toEqual([]);

  // A new price of the plan is a new difference.
  await db.syncedVariant.updateMany({ where: plan, data: { priceMinor: 3_300 } });
  expect((await page()).priceLists).toEqual([named]);
  shop.faults.add({ operation: "admin", status: 500, times: 20 });
  expect(await fix("77")).toEqual(refused("shop_unavailable"));
  shop.faults.clear();
  expect(priceList.fixedPrices).toEqual(new Map([[variant.id, 3_210]]));
});
