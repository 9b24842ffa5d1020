/**
 * The state of the stand-in shop, as plain data without behaviour. The Admin API, the storefront, the checkout and the
 * webhooks read and write it. Ids are the numeric part of Shopify's GIDs, as strings; money is in minor units.
 */

export interface ShopState {
  /** `demo.myshopify.com` */
  domain: string;
  id: string;
  name: string;
  email: string;
  currency: string;
  /** ISO 3166-1 */
  country: string;
  /** IANA name */
  timezone: string;
  /** e.g. `fr`; decides the storefront's and the admin's language unless a request says otherwise */
  locale: string;
  /** The languages in which shoppers can read the shop; the first is `locale`. */
  publishedLanguages: string[];
  /** `Basic`, `Shopify`, `Advanced`, `Shopify Plus`: decides the rate limit of the Admin API */
  plan: string;
  /** By id. Written only through products.ts, which keeps `variantProducts` in step. */
  products: Map<string, Product>;
  /** The product id of each variant id. */
  variantProducts: Map<string, string>;
  collections: Map<string, Collection>;
  publications: Map<string, Publication>;
  /** The currency of each market; the first is the shop's own. */
  markets: Market[];
  /** Metafields of every owner, keyed by `<owner gid>|<namespace>|<key>`. */
  metafields: Map<string, Metafield>;
  orders: Map<string, Order>;
  draftOrders: Map<string, DraftOrder>;
  /** The merchant's rules for carts and checkouts, including inactive ones. */
  validations: Validation[];
  /** The app's Flow triggers, in the order of arrival. */
  flowTriggers: { handle: string; payload: Record<string, unknown> }[];
  /** Whether prices include the taxes, or the taxes are added. */
  taxesIncluded: boolean;
  /** Carts by token (the `cart` cookie). */
  carts: Map<string, Cart>;
  installation: Installation | null;
  /** The theme editor's settings: active app blocks and embeds, with their settings. */
  theme: ThemeState;
  /** Targets of the app's other extensions that the merchant has placed in the checkout and accounts editor. */
  placedTargets: string[];
  /** When the shop was opened, ISO 8601. */
  createdAt: string;
  /** The last issued id, by kind: ids.ts. */
  lastIds: Map<string, bigint>;
}

/** A rule for carts and checkouts: a Function of an app. */
export interface Validation {
  id: string;
  title: string;
  /** the app's key, and its Function's handle */
  appKey: string;
  functionHandle: string;
  enabled: boolean;
  blockOnFailure: boolean;
}

export interface Market {
  id: string;
  name: string;
  /** null: the market has no currency of its own */
  currency: string | null;
  /** shoppers pay in the currency of their country */
  localCurrencies: boolean;
  active: boolean;
  /** ISO 3166, where it matters */
  countries?: string[];
  /** of its catalogue; without one the shop's prices hold */
  priceList?: PriceList;
}

export interface PriceList {
  id: string;
  /** per cent on all prices of the shop: 5, -10 */
  adjustment: number;
  /** by variant id, minor units of the market's currency */
  fixedPrices: Map<string, number>;
}

export interface Product {
  id: string;
  handle: string;
  title: string;
  descriptionHtml: string;
  vendor: string;
  productType: string;
  /** of Shopify's taxonomy, by id */
  category: string | null;
  tags: string[];
  status: "ACTIVE" | "ARCHIVED" | "DRAFT" | "UNLISTED";
  options: { id: string; name: string; values: string[] }[];
  variants: Variant[];
  /** Absolute or root-relative image addresses. */
  images: { id: string; url: string; alt: string }[];
  /** ids of the publications (sales channels) it is published on */
  publishedOn: Set<string>;
  giftCard?: boolean;
  /** a bundle: an order names its components */
  requiresComponents?: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface Variant {
  id: string;
  inventoryItemId: string;
  title: string;
  optionValues: string[];
  sku: string | null;
  price: number;
  compareAtPrice: number | null;
  taxable: boolean;
  requiresShipping: boolean;
  tracked: boolean;
  inventoryPolicy: "DENY" | "CONTINUE";
  inventoryQuantity: number;
  position: number;
}

export interface Collection {
  id: string;
  handle: string;
  title: string;
  productIds: string[];
}

/** The list of products of a sales channel, of a market or of a company. */
export interface Publication {
  id: string;
  /** in the language of the shop */
  name: string;
  /** the handle of the channel's app: `online_store`, `pos`; empty: the publication belongs to a catalogue */
  appHandle: string;
  /** new products are put on it */
  autoPublish: boolean;
  /** of a headless storefront: the Storefront API sells with it what is on this publication */
  storefrontToken?: string;
  /** shoppers of these markets, or companies, buy only what is on it too */
  catalogue?: { type: "MARKET"; marketIds: string[] } | { type: "COMPANY_LOCATION" };
  /** Shopify refuses products on it */
  refuses?: boolean;
}

export interface Metafield {
  id: string;
  ownerId: string;
  namespace: string;
  key: string;
  type: string;
  value: string;
  updatedAt: string;
}

export interface Installation {
  id: string;
  /** required and optional ones that were granted */
  scopes: string[];
}

export interface Cart {
  token: string;
  note: string;
  attributes: Record<string, string>;
  lines: CartLine[];
}

/** A form can send several values of one property: `properties[Dates][]`. */
export type CartProperties = Record<string, string | string[]>;

/** As orders and other readers of the cart show it. */
export function propertyText(value: string | string[]): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export interface CartLine {
  /** Stable inside the stand-in; the Ajax `key` is derived from variant and properties, and is not stable. */
  id: string;
  variantId: string;
  quantity: number;
  properties: CartProperties;
  /** `id` of the line this one is nested under */
  parentLineId: string | null;
}

export interface Address {
  first_name: string | null;
  last_name: string | null;
  address1: string | null;
  address2: string | null;
  city: string | null;
  zip: string | null;
  country_code: string | null;
  phone: string | null;
  company: string | null;
}

/** What is taken off: per cent, or minor units (of an item, for a discount on products). */
export type DiscountValue = { percentage: number } | { amount: number };

export interface Discount {
  /** null: automatic */
  code: string | null;
  title: string;
  target: "products" | "order" | "shipping";
  /** the products that it is for; null: all. Only for `products`: one on the order cannot leave any out */
  productIds: string[] | null;
  value: DiscountValue;
}

/** A discount as an order remembers it. */
export interface DiscountApplication {
  type: "automatic" | "discount_code" | "manual";
  /** its title, or its code */
  title: string;
  targetType: "line_item" | "shipping_line";
  /** all lines; those that a discount is for; one that staff chose */
  targetSelection: "all" | "entitled" | "explicit";
  allocationMethod: "across" | "each";
  value: DiscountValue;
}

/** The share of a discount that falls on one line. */
export interface Allocation {
  /** minor units */
  amount: number;
  /** index in the order's `discountApplications` */
  application: number;
}

export interface Order {
  /** why the payment's provider refuses a refund now */
  refundRefusal?: string;
  id: string;
  /** `#1001` */
  name: string;
  /** of the checkout that it came of; null: it came of none */
  checkoutToken: string | null;
  createdAt: string;
  updatedAt: string;
  processedAt: string;
  cancelledAt: string | null;
  cancelReason: string | null;
  financialStatus: "pending" | "partially_paid" | "paid" | "partially_refunded" | "refunded" | "voided";
  currency: string;
  acceptsMarketing: boolean;
  email: string | null;
  phone: string | null;
  locale: string;
  customer: {
    id: string;
    email: string | null;
    first_name: string | null;
    last_name: string | null;
    phone: string | null;
  } | null;
  billingAddress: Address | null;
  shippingAddress: Address | null;
  /** bought for a company (B2B) */
  company?: { id: string } | null;
  gateway: string;
  sourceName: string;
  noteAttributes: { name: string; value: string }[];
  tags: string[];
  lines: OrderLine[];
  refunds: Refund[];
  /** price of the shipping before discounts, minor units */
  shippingPrice: number;
  discountApplications: DiscountApplication[];
  shippingDiscounts: Allocation[];
  taxesIncluded: boolean;
  /** minor units */
  tip: number;
  /** what was paid so far, minor units; a gift card is a gateway like others */
  payments: { gateway: string; amount: number }[];
  /** the currency the customer paid in, where it is not the shop's: units of it for one of the shop's, a decimal */
  presentment: Presentment | null;
  edits: OrderEdit[];
  fulfilments: Fulfilment[];
  /** a person or an app holds its fulfilment back */
  onHold: boolean;
  /** its lines are fulfilled from several places, this many from each; missing: all from one */
  linesPerFulfilmentOrder?: number;
}

/** An order that staff write; it becomes an order when it is completed. */
export interface DraftOrder {
  id: string;
  /** `#D1` */
  name: string;
  status: "OPEN" | "INVOICE_SENT" | "COMPLETED";
  createdAt: string;
  updatedAt: string;
  email: string | null;
  billingAddress: Address | null;
  /** where it is delivered; null: not said */
  shippingAddress: Address | null;
  /** for a company (B2B) */
  company: { id: string } | null;
  /** what the customer pays in */
  presentmentCurrency: string;
  discount: DraftDiscount | null;
  discountCodes: string[];
  shipping: { title: string; price: number } | null;
  lines: DraftLine[];
  /** the order that came of it */
  orderId: string | null;
}

export interface DraftDiscount {
  title: string | null;
  description: string;
  value: number;
  valueType: "FIXED_AMOUNT" | "PERCENTAGE";
}

export interface DraftLine {
  id: string;
  uuid: string;
  /** null: a line that staff made up */
  variantId: string | null;
  quantity: number;
  properties: { name: string; value: string }[];
  discount: DraftDiscount | null;
  /** minor units, in place of the variant's price */
  priceOverride: number | null;
  /** of a bundle */
  components: { uuid: string; variantId: string; quantity: number }[];
  /** what a made-up line is */
  custom: {
    title: string;
    price: number;
    sku: string | null;
    requiresShipping: boolean;
    taxable: boolean;
  } | null;
}

export interface Fulfilment {
  id: string;
  createdAt: string;
  lines: { lineId: string; quantity: number }[];
}

export interface Presentment {
  currency: string;
  rate: string;
  /** the market's rounding of prices, in minor units of its currency; 1 where missing */
  roundTo?: number;
}

export interface OrderEdit {
  id: string;
  createdAt: string;
  /** lines with what was added to or taken from their quantity */
  additions: { lineId: string; delta: number }[];
  removals: { lineId: string; delta: number }[];
}

export interface OrderLine {
  id: string;
  productId: string;
  variantId: string;
  title: string;
  variantTitle: string;
  sku: string | null;
  vendor: string;
  quantity: number;
  /** what is left after refunds and edits */
  currentQuantity: number;
  /** unit price before discounts */
  price: number;
  properties: { name: string; value: string }[];
  /** unit price in the customer's currency, minor units; null where it is the shop's */
  presentmentPrice: number | null;
  /** discounts on the whole line */
  discounts: Allocation[];
  taxable: boolean;
  requiresShipping: boolean;
  parentLineId: string | null;
  /** the bundle whose component it is; missing: it is none */
  bundle?: LineGroup;
  /** by which it is bought again and again; null: once */
  sellingPlan: { id: string; name: string } | null;
}

/** What connects lines of an order: the line that others are nested under, or a bundle, which is no line. */
export interface LineGroup {
  id: string;
  title: string;
  quantity: number;
  productId: string;
  variantId: string;
}

export interface Refund {
  id: string;
  createdAt: string;
  note: string;
  /** `tax`: included in the subtotal, or added to it */
  lines: { id: string; lineId: string; quantity: number; subtotal: number; tax: number }[];
  /** what of the shipping's price is given back, minor units */
  shipping: number;
  shippingTax: number;
  /** money moved; empty when none did */
  transactions: RefundTransaction[];
}

export interface RefundTransaction {
  id: string;
  amount: number;
  /** a gift card and `shopify_store_credit` are gateways like others */
  gateway: string;
  status: "pending" | "success" | "failure";
}

export interface ThemeState {
  /** Which of the stand-in's themes is published. */
  name: string;
  /** App blocks by template ("product", "cart"), in order. */
  blocks: Record<string, { id: string; handle: string; settings: Record<string, unknown> }[]>;
  /** App embeds (head/body blocks) by handle. */
  embeds: Record<string, { on: boolean; settings: Record<string, unknown> }>;
}
