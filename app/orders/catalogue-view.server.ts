/** What the catalogue knows of the things in an order. */
import { findOrderCatalogue } from "#app/catalogue/order-catalogue.server.ts";
import { defaultMerchantSettings, saleRuleOf } from "#app/merchants/settings.ts";
import { defaultStorefrontSettings } from "#app/offers/storefront-settings.ts";
import type { Environment } from "#app/merchants/connection.ts";
import type { ShopOrder } from "#app/shopify/order.ts";
import type { CatalogueView } from "./book/sale-check.ts";

export interface OrderInCatalogue {
  view: CatalogueView;
  /** The environment of the insurer that the order's plans belong to: of its references, else the active one. */
  environment: Environment;
}

export async function readCatalogueView(shop: string, order: ShopOrder): Promise<OrderInCatalogue> {
  const ids = (pick: (line: ShopOrder["lines"][number]) => (string | null | undefined)[]): string[] => [
    ...new Set(order.lines.flatMap(pick).flatMap((id) => id ?? [])),
  ];
  const known = await findOrderCatalogue(shop, {
    orderId: order.id,
    variantIds: ids(({ variantId }) => [variantId]),
    productIds: ids(({ productId, bundle }) => [productId, bundle?.productId]),
    at: order.createdAt,
  });
  const { accounts, storedIn } = known;
  const inUse = accounts?.inUse ?? "test";
  // An order that is stored keeps its account, whatever is added to it later.
  const environment = storedIn ?? known.found[0]?.environment ?? inUse;
  // One order has one account: where its plans have two, a person reviews all of them.
  const isMixed = known.found.some((reference) => reference.environment !== environment);
  const isSold = accounts === null || environment === inUse || environment === accounts.next;
  const isOfOtherAccount = isMixed || !(isSold || order.createdAt <= accounts.since);
  const bands = known.bands.filter((band) => band.environment === environment);
  return {
    environment,
    view: {
      isProduction: environment === "production",
      productFormat: known.productFormat ?? defaultStorefrontSettings.touchpoints.product_page.format,
      saleRule: known.saleRule ?? saleRuleOf(defaultMerchantSettings.sale, ""),
      references: new Map(
        known.found.map((reference) => [
          reference.variantId,
          {
            referenceId: reference.referenceId,
            categoryId: reference.categoryId,
            termMonths: reference.termMonths,
            billing: reference.billing,
            pricesMinor: [reference.priceMinor, reference.soldAtMinor],
            currency: reference.currency,
            bandMinMinor: reference.bandMinMinor,
            bandMaxMinor: reference.bandMaxMinor,
            productReferenceIds: reference.productReferenceIds,
            isOfOtherAccount: isOfOtherAccount || reference.isSoldByPreviousStore,
          },
        ]),
      ),
      categories: new Map(known.categories.map(({ productId, categoryIds }) => [productId, categoryIds])),
      hasOffer: (categoryId, { unitPriceMinor, currency }) =>
        bands.some(
          (band) =>
            band.categoryId === categoryId &&
            band.currency === currency &&
            band.minMinor <= unitPriceMinor &&
            unitPriceMinor <= band.maxMinor,
        ),
    },
  };
}
