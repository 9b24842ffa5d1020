/** The part of the merchant's catalogue that an order is checked against. */
import type { MerchantSettings } from "#app/merchants/settings.ts";
import type { LineAmounts } from "#app/shopify/order.ts";

/** A reference of the merchant's catalogue, as far as plans need it. Money is minor units. */
export interface PlanReference {
  referenceId: string;
  categoryId: string;
  termMonths: number;
  /** what the offer may have been sold at: its price now, and its price as of the last sync */
  pricesMinor: readonly number[];
  currency: string;
  /** lowest and highest product price, both inclusive */
  bandMinMinor: number;
  bandMaxMinor: number;
  /** the products it was offered for; empty: it is for all */
  productReferenceIds: readonly string[];
  /** it belongs to another account at the service than the one in use, or the order's plans have two */
  isOfOtherAccount: boolean;
}

/** What the catalogue knows of the things in an order. */
export interface CatalogueView {
  /** by the id of the plan's variant in the shop */
  references: ReadonlyMap<string, PlanReference>;
  /** the insurance category (its name) by product id; products without one are left out */
  categories: ReadonlyMap<string, string>;
  /** whether the catalogue has an offer for this category and product price */
  hasOffer: (categoryId: string, price: LineAmounts) => boolean;
  /** what the merchant decided about plans that a discount was meant for */
  discountedPlans: MerchantSettings["discountedPlans"];
  /** whether a contract is a real one: the merchant's account is the one for production */
  isProduction: boolean;
}
