/** The global Liquid objects of a page. */
import { cartDrop, collectionDrop } from "./liquid/drops.ts";
import { marketHandle } from "../markets.ts";
import { moneyFormat } from "#app/offers/preview/money-format.ts";
import type { Page } from "./theme.ts";
import { rightToLeft, storefrontLocales, type Visit } from "./visit.ts";

export function liquidGlobals(visit: Visit, page: Page): Record<string, unknown> {
  const { state } = visit.sandbox;
  const at = visit.root.replace(/\/$/, "");
  const globals = {
    shop: {
      name: state.name,
      domain: state.domain,
      permanent_domain: state.domain,
      currency: state.currency,
      money_format: moneyFormat(visit.currency),
      locale: state.locale,
      url: `http://${visit.host}`,
    },
    cart: cartDrop(visit),
    collections: Object.fromEntries(
      [...state.collections.values()].map((collection) => [
        collection.handle,
        collectionDrop(visit, collection),
      ]),
    ),
    // Liquid iterates over `collections`; LiquidJS cannot iterate over an object that also has keys.
    collection_list: [...state.collections.values()].map(({ handle, title }) => ({
      handle,
      title,
      url: `/collections/${handle}`,
    })),
    routes: {
      root_url: visit.root,
      cart_url: `${at}/cart`,
      cart_add_url: `${at}/cart/add`,
      cart_change_url: `${at}/cart/change`,
      cart_update_url: `${at}/cart/update`,
      cart_clear_url: `${at}/cart/clear`,
      search_url: `${at}/search`,
      all_products_collection_url: `${at}/collections/all`,
    },
    request: {
      locale: { iso_code: visit.locale, root_url: visit.root, primary: visit.locale === state.locale },
      page_type: page.template,
      design_mode: visit.query.has("design_mode"),
      host: visit.host,
      path: visit.path,
    },
    localization: {
      language: { iso_code: visit.locale },
      available_languages: storefrontLocales.map((iso_code) => ({ iso_code })),
      country: { iso_code: visit.country, currency: { iso_code: visit.currency } },
      market: visit.market && { id: visit.market.id, handle: marketHandle(visit.market) },
    },
    theme: { name: visit.theme, role: visit.theme === state.theme.name ? "main" : "unpublished" },
    template: { name: page.template },
    page_title: page.title,
    customer: visit.isCompany ? { "b2b?": true } : null,
    settings: { dir: rightToLeft.has(visit.locale) ? "rtl" : "ltr" },
  };
  return Object.defineProperties(globals, Object.getOwnPropertyDescriptors(page.objects));
}
