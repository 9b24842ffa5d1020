/** What the merchant sets in the admin and in the theme editor is what shoppers see. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { consentVersion, withConsentVersions } from "#app/offers/consent-version.server.ts";
import { extensionTexts } from "#app/offers/extension-texts.server.ts";
import { storefrontSettings } from "#app/offers/storefront-settings.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { putMetafield, removeMetafield } from "#test/sandbox/shop/metafields.ts";
import { openTestShop, type TestShop } from "./shop.ts";

let shop: TestShop;
let app: string;
beforeAll(async () => {
  shop = await openTestShop();
  app = gid("AppInstallation", shop.state.installation?.id ?? "");
});
afterAll(() => shop.close());
beforeEach(() => {
  removeMetafield(shop.state, app, "settings", "storefront");
  for (const touchpoint of ["product_page", "cart", "mini_cart"])
    putMetafield(shop.state, app, "touchpoints", touchpoint, "boolean", "true");
  shop.state.theme.blocks["product"] = [{ id: "offer", handle: "product-offer", settings: {} }];
});

const set = (settings: object) =>
  putMetafield(
    shop.state,
    app,
    "settings",
    "storefront",
    "json",
    JSON.stringify(withConsentVersions(storefrontSettings.parse(settings))),
  );
const html = async (path = "/products/lumo-x2") => (await fetch(`${shop.origin}${path}`)).text();
const months = (page: string) =>
  [...(page.split("<template>")[0] ?? "").matchAll(/<span>(\d+) mois<\/span>/g)].map(([, term]) =>
    Number(term),
  );

describe("the merchant's settings", () => {
  it("need not exist: defaults are a list of all terms with the category's texts", async () => {
    const page = await html();
    expect(page).toContain('class="parasol parasol--radio"');
    expect(page).toContain(`"consent":"${consentVersion(extensionTexts.fr.consent)}"`);
    expect(page).toContain("Protégez votre smartphone");
    expect(months(page)).toEqual([12, 24, 36]);
    set({});
    expect(await html()).toBe(page);
  });

  it("choose format, order of terms, texts per language and the consent with its version", async () => {
    set({
      terms: [24],
      touchpoints: { product_page: { format: "tabs" } },
      texts: {
        fr: { headline: "L'assurance <maison>", consent: "J'accepte tout cela." },
        en: { headline: "House insurance" },
      },
    });
    const page = await html();
    expect(page).toContain('class="parasol parasol--tabs"');
    expect(months(page)).toEqual([24, 12, 36]);
    expect(page).toContain("L&#39;assurance &lt;maison&gt;");
    expect(page).toContain("J&#39;accepte tout cela.");
    expect(page).not.toContain("vous confirmez avoir lu");
    expect(page).toContain(`"consent":"${consentVersion("J'accepte tout cela.")}"`);
    const english = await html("/products/lumo-x2?locale=en");
    expect(english).toContain(`"consent":"${consentVersion(extensionTexts.default.consent)}"`);
    expect(await html("/products/lumo-x2?locale=en")).toContain("House insurance");
  });

  it("yield to the block's own settings in the theme editor", async () => {
    set({ touchpoints: { product_page: { format: "tabs" } }, texts: { fr: { headline: "Application" } } });
    shop.state.theme.blocks["product"] = [
      { id: "offer", handle: "product-offer", settings: { format: "banner", headline: "Éditeur" } },
    ];
    const page = await html();
    expect(page).toContain('class="parasol parasol--banner"');
    expect(page).toContain("<h2>Éditeur</h2>");
    expect(page).not.toContain("<h2>Application</h2>");
  });

  it("switch touchpoints off, by the switch as by available_if, with their scripts", async () => {
    set({ touchpoints: { product_page: { on: false }, cart: { on: false }, mini_cart: { on: false } } });
    expect(await html()).not.toContain("parasol");
    expect(await html("/cart")).not.toContain("parasol");
    removeMetafield(shop.state, app, "settings", "storefront");
    for (const touchpoint of ["product_page", "cart", "mini_cart"])
      putMetafield(shop.state, app, "touchpoints", touchpoint, "boolean", "false");
    expect(await html()).not.toContain("parasol");
    expect(await html("/cart")).not.toContain("parasol");
  });

  it("leave no trace on the storefront once the app is uninstalled", async () => {
    const { installation } = shop.state;
    shop.state.installation = null;
    expect(await html()).not.toContain("parasol");
    shop.state.installation = installation;
  });
});

describe("the settings' schema", () => {
  it.each([
    ["a format that does not exist", { touchpoints: { product_page: { format: "popup" } } }],
    ["a term that is no number of months", { terms: [0] }],
    ["a language that is none", { texts: { "../fr": {} } }],
  ])("refuses %s", (_name, settings) => {
    expect(storefrontSettings.safeParse(settings).success).toBe(false);
  });
});
