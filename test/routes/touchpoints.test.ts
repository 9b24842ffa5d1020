/** The page Touchpoints: what is saved is in the storefront, what does not fit is refused and changes nothing. */
import { createHash } from "node:crypto";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { beforeAll, expect, test } from "vitest";
import { jobHandlers } from "#app/processes/job-handlers.server.ts";
import { db } from "#app/platform/db.server.ts";
import { toCartSection } from "#app/offers/editor-links.ts";
import { loader as offersLoader } from "#app/routes/proxy.offers.tsx";
import { action, loader } from "#app/routes/app.touchpoints/route.tsx";
import { invalid, success } from "#app/ui/action-result.ts";
import { connectShop, installApp } from "#test/install.ts";
import { deepLink, linkedPlace } from "#test/sandbox/shop/theme-editor.ts";
import { otherShop, shop } from "#test/world.ts";
import { ask, responseOf } from "./ask.ts";

const page = async (domain?: string) => {
  const answer = await ask(loader, "/app/touchpoints", { domain });
  return { ...answer, placement: await answer.placement, proxy: await answer.proxy };
};
const save = (json: unknown, domain?: string) => ask(action, "/app/touchpoints", { json, domain });

/** What the theme extension reads: the app-data metafields of a shop, as JSON. */
function storefront(of = shop): Record<string, unknown> {
  const ours = [...of.state.metafields.values()].filter(({ namespace }) =>
    ["settings", "touchpoints"].includes(namespace),
  );
  return Object.fromEntries(
    ours.map(({ namespace, key, value }) => [`${namespace}.${key}`, JSON.parse(value)]),
  );
}

const chosen = {
  proxy: "/apps/parasol",
  language: "en",
  terms: [36, 12],
  touchpoints: { product_page: { on: true, format: "tabs" }, cart: { on: false }, mini_cart: { on: true } },
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
    touchpoints: { product_page: { on: true, format: "radio" }, cart: { on: true }, mini_cart: { on: true } },
  });
  expect(extensionTexts.fr.decline).toBe("Sans assurance");
  expect(extensionTexts.default.decline).toBe("No insurance");
  expect(links.get("product_page")).toContain(`https://${shop.shopDomain}/admin/themes/current/editor?`);
  expect(links.get("mini_cart")).toContain("context=apps");
});

test.each(["dawn-like", "horizon-like"])(
  "in the %s theme the links place each block in a section that takes it",
  async (theme) => {
    const before = shop.state.theme;
    shop.state.theme = { ...before, name: theme };
    const { links, placement } = await page();
    const placeOf = (link = "") =>
      linkedPlace(shop.state, deepLink.parse(Object.fromEntries(new URL(link).searchParams)));
    expect(placeOf(links.get("product_page"))).toBe("product");
    // Before the theme has been read: a section of its own. A section with the id main is in no cart.
    expect(placeOf(links.get("cart"))).toBe("cart:below");
    expect(placeOf(links.get("cart")?.replace("newAppsSection", "mainSection"))).toBeNull();
    expect(placeOf(toCartSection(links.get("cart") ?? "", placement?.cartSection))).toBe("cart");
    expect(toCartSection(links.get("mini_cart") ?? "", placement?.cartSection)).toBe(links.get("mini_cart"));
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

/** What waits to be done for the storefront's settings. */
const waiting = () =>
  db.$queryRaw`SELECT id FROM pgboss.job WHERE name = 'storefront-settings' AND state = 'created'
    AND group_id = ${shop.shopDomain}`;
const workOff = () =>
  jobHandlers["storefront-settings"](
    { shop: shop.shopDomain },
    { signal: new AbortController().signal, isTurnOver: () => false },
  );

test.each([403, 503])("a shop that answers %i now is told by a job", async (status) => {
  shop.faults.failNext = { status, times: 10 };
  const later = { ...chosen, terms: [status] };
  const before = storefront();
  expect(await save(later)).toEqual(success("not_shown"));
  shop.faults.failNext = null;
  expect((await page()).settings).toEqual(later);
  expect(storefront()).toEqual(before);
  expect(await waiting()).toHaveLength(1);
  await workOff();
  expect(storefront()).toMatchObject({ "settings.storefront": later });
});

test("the app proxy's path is a setting: checked where it is, and only a path that the platform allows", async () => {
  expect(await save({ ...chosen, proxy: "//elsewhere.example/x" })).toEqual(invalid({ proxy: "malformed" }));
  const app = new Hono();
  app.all("/proxy/offers", async (c) => offersLoader({ request: c.req.raw, params: {}, context: {} }));
  const served = await new Promise<{ url: string; close: () => void }>((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
      resolve({ url: `http://127.0.0.1:${port}`, close: () => void server.close() });
    });
  });
  shop.setAppUrl(served.url);
  const checked = async () => (await page()).proxy;
  expect(await checked()).toBe("reached");
  shop.state.proxyPath = "/tools/cover";
  expect(await checked()).toBe("elsewhere");
  expect(await save({ ...chosen, proxy: "/tools/cover" })).toEqual(success("saved"));
  expect(await checked()).toBe("reached");
  expect(storefront()["settings.storefront"]).toMatchObject({ proxy: "/tools/cover" });
  delete shop.state.proxyPath;
  served.close();
  expect(await save(chosen)).toEqual(success("saved"));
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
