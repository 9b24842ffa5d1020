/** Shoppers see the merchant's settings from the admin and the theme editor. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { consentVersion, withConsentVersions } from "#app/offers/consent-version.server.ts";
import { extensionTexts } from "#app/offers/extension-texts.server.ts";
import { storefrontSettings } from "#app/offers/storefront-settings.ts";
import { gid } from "#test/sandbox/shop/ids.ts";
import { putMetafield, removeMetafield } from "#test/sandbox/shop/metafields.ts";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { productFormats } from "#app/offers/storefront-choices.ts";
import { openTestShop, PHONES, type TestShop } from "./shop.ts";

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

const WITHDRAWAL_PAGE = "https://app.example/withdrawals/lumo.myshopify.com";
const set = (settings: object, days = 30, sale: object = {}) =>
  putMetafield(
    shop.state,
    app,
    "settings",
    "storefront",
    "json",
    JSON.stringify({
      ...withConsentVersions(storefrontSettings.parse(settings)),
      ...sale,
      ...(days > 0 ? { withdrawal_days: days, withdrawal_page: WITHDRAWAL_PAGE } : {}),
    }),
  );
/** The page of a cart with one phone. */
async function cartWithPhone({ state, origin }: TestShop, locale: string): Promise<string> {
  const id = [...state.products.values()].find(({ handle }) => handle === "lumo-x2")?.variants[0]?.id;
  const added = await fetch(`${origin}/cart/add.js`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ items: [{ id, quantity: 1 }] }),
  });
  const cookie = added.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  return (await fetch(`${origin}/cart?locale=${locale}`, { headers: { cookie } })).text();
}
const html = async (path = "/products/lumo-x2") => (await fetch(`${shop.origin}${path}`)).text();
const months = (page: string) =>
  [...(page.split("<template")[0] ?? "").matchAll(/<span data-duration>(\d+) mois<\/span>/g)].map(
    ([, term]) => Number(term),
  );

describe("the footer's link to withdraw", () => {
  it("leads to the shop's page in the shopper's language, once the app has said where that is", async () => {
    shop.state.theme.blocks["product"] = [{ id: "withdraw", handle: "withdrawal-link", settings: {} }];
    expect(await html()).not.toContain("Renoncer à votre contrat");
    const value = JSON.stringify({ withdrawal_page: WITHDRAWAL_PAGE });
    putMetafield(shop.state, app, "settings", "storefront", "json", value);
    expect(await html()).toContain(
      `<a href="${WITHDRAWAL_PAGE}?language=fr" target="_blank" rel="noopener">Renoncer à votre contrat d’assurance ici</a>`,
    );
  });
});

describe("the merchant's settings", () => {
  it("need not exist: defaults are a list of all terms with the category's texts", async () => {
    const page = await html();
    expect(page).toContain('class="parasol parasol--radio"');
    expect(page).toContain(`"consent":"${consentVersion(extensionTexts.fr.consent)}"`);
    expect(page).toContain("Protégez votre smartphone");
    expect(months(page)).toEqual([12, 24, 36]);
    set({}, 0);
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
    expect(english).toContain(`"consent":"${consentVersion(extensionTexts.en.consent)}"`);
    expect(await html("/products/lumo-x2?locale=en")).toContain("House insurance");
  });

  it("replace the insurer's texts as a whole in another language, but for the legal text, which is named as the insurer's", async () => {
    const marketing =
      /Votre smartphone|Protégez|Casse accidentelle|Ce qui est couvert|Assurer mon|Non merci|Toutes les garanties|En savoir plus|Ajouter l/;
    for (const format of ["radio", "section", "modal", "banner"]) {
      set({ touchpoints: { product_page: { format } } });
      const page = await html("/products/lumo-x2?locale=en");
      expect(page).toContain("Insurance for this product");
      expect(page).not.toMatch(marketing);
      expect(page.replaceAll(/\s+/g, " ")).toContain(
        `The insurer&#39;s legal text, in its own language: <span data-legal lang="fr">Contrat souscrit`,
      );
    }
    const cart = await cartWithPhone(shop, "en");
    expect(cart).toContain("Insurance for this product");
    expect(cart).toContain('"headline":"Insurance for this product"');
    expect(cart).not.toMatch(marketing);
    expect(cart).toContain('<span data-legal lang="fr">Contrat souscrit');
    expect(await cartWithPhone(shop, "fr")).toMatch(/Protégez votre smartphone/);

    const own = { headline: "Cover it", legal: "Policy of the insurer." };
    set({ texts: { en: own }, covers: { en: { [categoryKey(PHONES)]: { bullets: ["Screen", "Theft"] } } } });
    const page = await html("/products/lumo-x2?locale=en");
    expect(page).toContain("Cover it");
    expect(page).toContain("<li>Screen</li><li>Theft</li>");
    expect(page).toContain("<span data-legal>Policy of the insurer.</span>");
    expect(page).not.toMatch(/Contrat souscrit|legal text/);
    // The merchant sets the language of the insurer's texts.
    set({ language: "en" });
    expect(await html("/products/lumo-x2?locale=en")).toContain("Casse accidentelle");
    expect(await html("/products/lumo-x2?locale=fr")).toContain("Assurance pour ce produit");
    // The script sets it as text, without decoding.
    expect(await cartWithPhone(shop, "fr")).toContain(`"button":"Ajouter l’assurance"`);
  });

  it.each(productFormats)(
    "say in the format %s what is covered and what not, by whom, and how to withdraw, with the terms beside it",
    async (format) => {
      const cover = {
        bullets: ["Screen", "Theft <b>", "Water", "Battery"],
        exclusions: ["Scratches"],
        excess: "€30 a claim",
        limit: "two claims a year",
      };
      const covers = { en: { [categoryKey(PHONES)]: cover } };
      const insurer = {
        insurer: "Voltigeur & Co",
        insurer_address: "1 rue de la Paix, Paris",
        complaints: "<i>@voltigeur.example",
      };
      set({ touchpoints: { product_page: { format } }, ...insurer, covers }, 21);
      const page = (await html("/products/lumo-x2?locale=en")).replaceAll(/\s+/g, " ");
      const [box = "", dialog = ""] = page.split("<dialog");
      const inPlace = ["radio", "checkbox", "tabs"].includes(format);
      // The format dialog shows no box before a choice; a floating button is too small for a name.
      if (!["section", "modal", "floating"].includes(format))
        expect(box).toContain(
          "<small" + (inPlace ? "" : " data-unchosen") + ">Insured by Voltigeur &amp; Co</small>",
        );
      if (inPlace) {
        expect(box).toContain("<li>Screen</li><li>Theft &lt;b&gt;</li><li>Water</li></ul>");
        expect(box).toContain("Optional · 21 days to change your mind ·");
        // One deadline: the rest is in the dialog.
        expect(box.match(/21 days/g)).toHaveLength(1);
      }
      // A section shows directly what the other formats show in a dialog.
      const whole = format === "section" ? box : dialog;
      for (const text of [
        "<li>Battery</li>",
        "What is not covered</p> <ul><li>Scratches</li>",
        "Insured by Voltigeur &amp; Co",
        "Insured by Voltigeur &amp; Co, 1 rue de la Paix, Paris.",
        "Complaints: &lt;i&gt;@voltigeur.example.",
        `href="https://assurance.example/smartphone" hreflang="fr"`,
        `value="${shop.planVariant("SMA-400-24")}"`,
        "Information document (IPID)",
        "Excess: €30 a claim",
        "Limit: two claims a year",
        "lead to the claim page",
        "not already covered by another insurance",
        `free of charge within 21 days, on this page: <a href="${WITHDRAWAL_PAGE}?language=en" target="_blank" rel="noopener">Withdraw from your insurance contract here</a>`,
      ])
        expect(whole).toContain(text);
      expect(page.split("<dialog")).toHaveLength(format === "section" ? 1 : 2);
      if (format !== "section") {
        expect(dialog).toMatch(/data-buy disabled>Choose insurance.*>No insurance</);
        // Yes and no look the same.
        const window = dialog.split("</dialog>")[0] ?? "";
        const classes = [...window.matchAll(/<button type="button" class="(button[^"]*)"/g)].map(
          ([, each]) => each,
        );
        expect(new Set(classes).size).toBe(1);
        expect(classes).toHaveLength(2);
      }
    },
  );

  it("say so in the cart, in the row that Liquid draws and in what the script draws with", async () => {
    const covers = { en: { [categoryKey(PHONES)]: { bullets: ["Screen", "Theft"], exclusions: [] } } };
    const complaints = "https://voltigeur.example/complaints";
    set({ insurer: "Voltigeur", insurer_address: "1 rue de la Paix, Paris", complaints, covers }, 21);
    const cart = await cartWithPhone(shop, "en");
    // Its row, and the templates of the page and of the drawer; below each list the address too.
    expect(cart.match(/Insured by Voltigeur</g)).toHaveLength(3);
    expect(cart.match(/Insured by Voltigeur, 1 rue de la Paix, Paris\. Complaints: https:/g)).toHaveLength(2);
    expect(cart).toContain("<small data-cover>Screen · Theft</small>");
    expect(cart).toContain('"cover":"Screen · Theft"');
    expect(cart).toContain(`within 21 days, on this page: <a href="${WITHDRAWAL_PAGE}?language=en"`);
    // The insurer's own texts, in its language alone.
    const french = await cartWithPhone(shop, "fr");
    expect(french).toContain(
      '"cover":"Casse accidentelle, écran compris · Vol par effraction ou agression · Oxydation"',
    );
    set({});
    expect(await cartWithPhone(shop, "en")).toContain('"cover":""');
  });

  it("name neither insurer nor contact where the merchant gives none", async () => {
    set({ insurer: "" });
    const page = await html("/products/lumo-x2?locale=en");
    expect(page).toContain("not already covered");
    expect(page).not.toMatch(/Insured by|Complaints/);
  });

  it("leave no row of the cart without a name where the insurer gives none, whether Liquid or the script draws it", async () => {
    const other = await openTestShop({
      catalogue: (made) => ({ ...made, texts: { ...made.texts, headline: "" } }),
    });
    other.state.theme.blocks = { cart: [{ id: "cart", handle: "cart-offers", settings: {} }] };
    const cart = await cartWithPhone(other, "fr");
    expect(cart).toContain("<span data-headline>Assurance pour ce produit</span>");
    expect(cart).toContain('"headline":"Assurance pour ce produit"');
    await other.close();
  });

  it("yield to the block's own settings in the theme editor", async () => {
    set({ touchpoints: { product_page: { format: "tabs" } }, texts: { fr: { headline: "Application" } } });
    shop.state.theme.blocks["product"] = [
      { id: "offer", handle: "product-offer", settings: { format: "banner", headline: "Éditeur" } },
    ];
    const page = await html();
    expect(page).toContain('class="parasol parasol--banner"');
    expect(page).toContain("<h2 data-unchosen>Éditeur</h2>");
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

  it("offer nothing to companies, and take their insurance out of the cart, unless the merchant allows it", async () => {
    shop.state.theme.blocks["cart"] = [{ id: "cart", handle: "cart-offers", settings: {} }];
    const pages = ["/products/lumo-x2?company=1", "/cart?company=1"];
    for (const companies of [false, true]) {
      set({}, 30, { companies });
      const [product = "", cart = ""] = await Promise.all(pages.map(html));
      expect(product.includes("<parasol-offer")).toBe(companies);
      // The block of the cart page, and the drawer's.
      expect(cart.match(/<parasol-cart/g)).toHaveLength(2);
      expect(cart.match(/"stopped":true/g) ?? []).toHaveLength(companies ? 0 : 2);
    }
    set({});
    expect(await html()).toContain("<parasol-offer");
    expect(await html("/cart")).not.toContain('"stopped":true');
  });

  it("offer nothing to shoppers of a country that the merchant does not sell to, and take their insurance out", async () => {
    shop.state.theme.blocks["cart"] = [{ id: "cart", handle: "cart-offers", settings: {} }];
    set({}, 30, { countries: ["FR", "RE"] });
    for (const [country, isSold] of [
      ["FR", true],
      ["RE", true],
      ["GP", false],
      ["BE", false],
    ] as const) {
      const pages = [`/products/lumo-x2?country=${country}`, `/cart?country=${country}`];
      const [product = "", cart = ""] = await Promise.all(pages.map(html));
      expect(product.includes("<parasol-offer")).toBe(isSold);
      expect(cart.match(/"stopped":true/g) ?? []).toHaveLength(isSold ? 0 : 2);
    }
    // The shop's country is not known yet.
    set({}, 30, { countries: [] });
    expect(await html("/products/lumo-x2?country=BE")).toContain("<parasol-offer");
  });

  it("name the merchant's registration with each offer, in the shopper's language, once there is one", async () => {
    const said = "Immatriculation du vendeur comme intermédiaire en assurance\u00a0: 07 001 234.";
    set({});
    expect(await html()).not.toContain("Immatriculation");
    set({}, 30, { registration_number: "07 001 234" });
    expect(await html()).toContain(said);
    expect(await cartWithPhone(shop, "fr")).toContain(said);
    expect(await html("/products/lumo-x2?locale=de")).toContain(
      "Registrierung des Verkäufers als Versicherungsvermittler: 07 001 234.",
    );
  });

  it("leave no trace on the storefront once the app is uninstalled", async () => {
    const { installation } = shop.state;
    shop.state.installation = null;
    expect(await html()).not.toContain("parasol");
    shop.state.installation = installation;
  });
});

describe("the settings' schema", () => {
  it("keep the points of a cover without empty lines, and fit into a metafield", () => {
    const covers = { en: { phones: { bullets: ["", "Theft "], exclusions: [" "] } } };
    expect(storefrontSettings.parse({ covers }).covers).toEqual({
      en: { phones: { bullets: ["Theft"], exclusions: [] } },
    });
    const long = { bullets: Array.from({ length: 20 }, () => "é".repeat(200)), exclusions: [] };
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`category-${index}`, long]));
    expect(storefrontSettings.safeParse({ covers: { fr: many } }).success).toBe(false);
  });
});
