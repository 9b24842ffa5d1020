/** An empty shop: its channels and its theme, without products. */
import { nextId, shopOffset } from "../ids.ts";
import type { ShopState } from "../state.ts";

export interface ShopOptions {
  /** What this shop holds, where it is not what the others hold: the electronics of the demo, or nothing. */
  seed?: "demo" | "empty";
  /** `parasol-demo.myshopify.com` */
  domain?: string;
  name?: string;
  currency?: string;
  locale?: string;
  /** the language of the seeded products; default: French */
  products?: "fr" | "en";
  plan?: "Basic" | "Shopify" | "Advanced" | "Shopify Plus" | "Enterprise";
}

/** The channels of a shop. Their names are in its language, and the online store is not the first. */
const channels = [
  { appHandle: "pos", names: { fr: "Point de vente", en: "Point of Sale" }, autoPublish: true },
  { appHandle: "online_store", names: { fr: "Boutique en ligne", en: "Online Store" }, autoPublish: false },
  { appHandle: "shop", names: { fr: "Shop", en: "Shop" }, autoPublish: true },
];

export function emptyShop({
  domain = "parasol-demo.myshopify.com",
  name = "Lumen Électronique",
  currency = "EUR",
  locale = "fr",
  plan = "Basic",
}: ShopOptions = {}): ShopState {
  const state: ShopState = {
    domain,
    id: `${68_000_000_001n + shopOffset(domain)}`,
    name,
    email: "bonjour@lumen-electronique.example",
    currency,
    country: "FR",
    timezone: "Europe/Paris",
    locale,
    publishedLanguages: [locale],
    plan,
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
    installation: null,
    theme: { name: "dawn-like", blocks: {}, embeds: {} },
    placedTargets: [],
    createdAt: "2024-03-04T09:00:00.000Z",
    lastIds: new Map(),
  };
  const market = (marketName: string, marketCurrency: string, rest: object = {}) => ({
    id: nextId(state, "market"),
    name: marketName,
    currency: marketCurrency,
    localCurrencies: false,
    active: true,
    ...rest,
  });
  state.markets = [
    market("France", currency),
    market("Suisse", "CHF"),
    market("International", currency, { localCurrencies: true }),
    market("Canada", "CAD", { active: false }),
  ];
  for (const { appHandle, names, autoPublish } of channels) {
    const id = nextId(state, "publication");
    const name = locale.startsWith("fr") ? names.fr : names.en;
    state.publications.set(id, { id, name, appHandle, autoPublish });
  }
  return state;
}
