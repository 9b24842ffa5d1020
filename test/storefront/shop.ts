/**
 * A small shop for the storefront's tests: the stand-in's storefront with a few products and a catalogue in the sync's
 * format, without the Admin API and without the app.
 */
import type { Hono } from "hono";
import { join } from "node:path";
import { categoryKey, type CompactCatalogue, coverKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { handleOf, PLAN_TAG } from "#app/catalogue/sync/plan-products.ts";
import { serveFetch } from "#test/sandbox/listen.ts";
import { readAppConfiguration } from "#test/sandbox/shop/app-configuration.ts";
import { gid, nextId } from "#test/sandbox/shop/ids.ts";
import { putMetafield } from "#test/sandbox/shop/metafields.ts";
import { putProduct } from "#test/sandbox/shop/products.ts";
import type { Product, ShopState, Variant } from "#test/sandbox/shop/state.ts";
import { storefront } from "#test/sandbox/shop/storefront/index.ts";
import type { StorefrontSandbox } from "#test/sandbox/shop/storefront/sandbox.ts";
import type { Formula, Offer } from "../../extensions/catalogue.ts";

const root = join(import.meta.dirname, "..", "..");

export interface TestShop {
  origin: string;
  state: ShopState;
  sandbox: StorefrontSandbox & { appUrl: string | null };
  /** Of the plan product: the variant of a reference. */
  planVariant: (reference: string) => string;
  close: () => Promise<void>;
}

export const PHONES = "Smartphone casse et vol";

/** Bands of 200 EUR to 1,000 EUR, terms of 12, 24 and 36 months: the price is a percentage of the band's lower end. */
export async function openTestShop(
  options: {
    theme?: string;
    catalogue?: (made: CompactCatalogue) => CompactCatalogue;
    /** formulas, each dearer than the previous one; without them there is one formula without a name */
    formulas?: string[];
  } = {},
): Promise<TestShop> {
  const state = emptyState(options.theme ?? "dawn-like");
  const published = new Set([[...state.publications.keys()][0] ?? ""]);
  const product = (
    title: string,
    type: string,
    variants: [string, number][],
    more: Partial<Product> = {},
  ): Product => {
    const made: Product = {
      id: nextId(state, "product"),
      handle: title.toLowerCase().replace(/[^a-z0-9]+/g, "-"),
      title,
      descriptionHtml: `<p>${title}.</p>`,
      vendor: "Lumo",
      productType: type,
      category: null,
      tags: [],
      status: "ACTIVE",
      options: [{ id: nextId(state, "option"), name: "Stockage", values: variants.map(([name]) => name) }],
      variants: variants.map(([name, price], index) => variant(state, name, price, index + 1)),
      images: [],
      publishedOn: published,
      createdAt: state.createdAt,
      updatedAt: state.createdAt,
      ...more,
    };
    putProduct(state, made);
    return made;
  };

  const phone = product("Lumo X2", "Smartphone", [
    ["128 Go", 59_900],
    ["256 Go", 69_900],
    ["512 Go", 89_900],
  ]);
  const cheap = product("Lumo Mini", "Smartphone", [["Default Title", 24_900]]);
  product("Coque Lumo", "Accessoire", [["Default Title", 1_990]]);
  const dear = product("Lumo Ultra", "Smartphone", [["Default Title", 150_000]]);
  const soldOut = product("Lumo Zero", "Smartphone", [["Default Title", 39_900]]);
  for (const each of soldOut.variants)
    Object.assign(each, { tracked: true, inventoryQuantity: 0, inventoryPolicy: "DENY" });
  product("Carte cadeau", "Carte cadeau", [["Default Title", 30_000]]);

  const bullets = ["Casse accidentelle, écran compris", "Vol par effraction ou agression", "Oxydation"];
  const bands = [20_000, 40_000, 60_000, 80_000].map((min) => [min, min + 19_999] as const);
  const terms = [12, 24, 36];
  const formulas = options.formulas ?? [undefined];
  const plans = formulas.flatMap((formula, at) =>
    terms.map((term) => ({
      formula,
      term,
      price: (min: number) => planPrice(min, term) * (at + 1),
      reference: (min: number) => `SMA-${min / 100}-${term}${at === 0 ? "" : `-${at + 1}`}`,
    })),
  );
  const variants = new Map<string, string>();
  // In the sync's format: a product for each band, with variants named by their term.
  for (const [index, [min]] of bands.entries()) {
    const plan = product(
      `Assurance ${PHONES}`,
      "Assurance",
      plans.map(({ formula, term, price }): [string, number] => [
        formula === undefined ? `${term} mois` : `${term} mois / ${formula}`,
        price(min),
      ]),
      { status: "UNLISTED", handle: handleOf(PHONES, "production", index + 1), tags: [PLAN_TAG] },
    );
    plan.options = plan.options.map((option) => ({ ...option, name: "Durée" }));
    for (const [position, each] of plan.variants.entries()) {
      each.sku = plans[position]?.reference(min) ?? "";
      each.requiresShipping = false;
      variants.set(each.sku, each.id);
    }
  }
  const documents = { cg: "https://assurance.example/cg.pdf", ipid: "https://assurance.example/ipid.pdf" };
  /** In the sync's format: the formulas of one category. */
  const describe = (name: string): Formula => {
    return { name, bullets, ...documents, key: coverKey(PHONES, name), category: categoryKey(PHONES) };
  };
  const catalogue: CompactCatalogue = {
    v: 1,
    category: PHONES,
    currency: "EUR",
    live: false,
    bands: bands.map(([min, max]) => ({
      min,
      max,
      offers: plans.map(({ formula, term, price, reference }): Offer => {
        const sku = reference(min);
        return {
          term,
          price: price(min),
          billing: "annually",
          variant: variants.get(sku) ?? "",
          reference: sku,
          ...(formula === undefined ? {} : { formula }),
        };
      }),
    })),
    texts: {
      headline: "Protégez votre smartphone",
      link: "En savoir plus",
      modal_headline: "Votre smartphone couvert, partout",
      bullets_heading: "Ce qui est couvert",
      bullets,
      modal_link: "Toutes les garanties",
      buy: "Assurer mon smartphone",
      decline: "Non merci",
      legal: "Contrat souscrit auprès de l'assureur. Droit de renonciation de 30 jours.",
      image: "",
      logo: "",
      page: "https://assurance.example/smartphone",
      cart_button: "Ajouter l'assurance",
    },
    ...(options.formulas && { formulas: options.formulas.map(describe) }),
    ...documents,
  };
  const app = gid("AppInstallation", state.installation?.id ?? "");
  putMetafield(
    state,
    app,
    "catalogue",
    categoryKey(PHONES),
    "json",
    JSON.stringify((options.catalogue ?? ((made) => made))(catalogue)),
  );
  for (const touchpoint of ["product_page", "cart", "mini_cart"])
    putMetafield(state, app, "touchpoints", touchpoint, "boolean", "true");
  for (const each of [phone, cheap, dear, soldOut])
    putMetafield(
      state,
      gid("Product", each.id),
      "$app",
      "insurance_category",
      "single_line_text_field",
      categoryKey(PHONES),
    );

  const sandbox = {
    state,
    shopDomain: state.domain,
    apiKey: "storefront-test-key",
    apiSecret: "storefront-test-secret",
    appUrl: null,
    extensionDir: join(root, "extensions", "parasol-storefront"),
    app: readAppConfiguration(),
    elsewhere: {},
  };
  const server = await serveFetch(storefront(sandbox).fetch);
  return {
    origin: server.url,
    state,
    sandbox,
    planVariant: (reference) => variants.get(reference) ?? "",
    close: server.close,
  };
}

/** Installs an app behind the shop's app proxy. @returns a function that removes it */
export async function openApp(shop: TestShop, app: Pick<Hono, "fetch">): Promise<() => Promise<void>> {
  const { url, close } = await serveFetch(app.fetch);
  shop.sandbox.appUrl = url;
  return close;
}

export function planPrice(bandMin: number, term: number): number {
  return Math.round((bandMin * 0.08 * term) / 12);
}

function variant(state: ShopState, title: string, price: number, position: number): Variant {
  return {
    id: nextId(state, "variant"),
    inventoryItemId: nextId(state, "inventoryItem"),
    title,
    optionValues: [title],
    sku: null,
    price,
    compareAtPrice: null,
    taxable: true,
    requiresShipping: true,
    tracked: false,
    inventoryPolicy: "CONTINUE",
    inventoryQuantity: 10,
    position,
  };
}

function emptyState(theme: string): ShopState {
  const state: ShopState = {
    domain: "lumo.myshopify.com",
    id: "1",
    name: "Lumo",
    email: "bonjour@lumo.example",
    currency: "EUR",
    country: "FR",
    timezone: "Europe/Paris",
    locale: "fr",
    publishedLanguages: ["fr"],
    plan: "Basic",
    placedTargets: [],
    products: new Map(),
    variantProducts: new Map(),
    collections: new Map(),
    publications: new Map(),
    markets: [],
    metafields: new Map(),
    orders: new Map(),
    draftOrders: new Map(),
    validations: [],
    flowTriggers: [],
    taxesIncluded: true,
    carts: new Map(),
    installation: { id: "501230000001", scopes: [] },
    theme: {
      name: theme,
      blocks: {
        product: [{ id: "offer", handle: "product-offer", settings: {} }],
        cart: [{ id: "cart", handle: "cart-offers", settings: {} }],
      },
      embeds: { "cart-drawer": { on: true, settings: {} } },
    },
    createdAt: new Date().toISOString(),
    lastIds: new Map(),
  };
  const publication = nextId(state, "publication");
  state.publications.set(publication, {
    id: publication,
    name: "Boutique en ligne",
    appHandle: "online_store",
    autoPublish: false,
  });
  return state;
}
