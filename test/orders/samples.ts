/** Orders of a small shop, to try the rules on. */
import { defaultMerchantSettings, saleRuleOf } from "#app/merchants/settings.ts";
import type { EventOf } from "#app/orders/book/events.ts";
import type { CatalogueView } from "#app/orders/book/sale-check.ts";
import { CONSENT, INSURED_VARIANT, PAIR, REFERENCE } from "#app/shopify/line-properties.ts";
import type { ShopAddress, ShopOrder, ShopOrderLine } from "#app/shopify/order.ts";

export const paris: ShopAddress = {
  firstName: "Ana",
  lastName: "Blanc",
  company: null,
  address1: "3 rue des Lilas",
  address2: null,
  zip: "75020",
  city: "Paris",
  countryCode: "FR",
  phone: "06 12 34 56 78",
};

export function shopOrder(lines: ShopOrderLine[], changes: Partial<ShopOrder> = {}): ShopOrder {
  return {
    id: "5812340000001",
    name: "#1001",
    createdAt: new Date("2026-11-20T10:00:00Z"),
    updatedAt: new Date("2026-11-20T10:00:01Z"),
    paid: true,
    isPaidBack: false,
    cancelledAt: null,
    test: false,
    customerId: "7001",
    currency: "EUR",
    gateways: ["shopify_payments"],
    sourceName: "web",
    business: false,
    acceptsMarketing: false,
    email: "ana@example.com",
    phone: null,
    language: "fr-FR",
    customer: null,
    billingAddress: paris,
    shippingAddress: null,
    lines,
    unreadableLines: [],
    refunds: [],
    ...changes,
  };
}

/** A line in euros; `price` in cents. */
export function line(id: string, price: number, changes: Partial<ShopOrderLine> = {}): ShopOrderLine {
  const quantity = changes.quantity ?? 1;
  return {
    id,
    productId: "800",
    variantId: "8001",
    title: "Téléphone - 128 Go",
    sku: null,
    quantity,
    currentQuantity: quantity,
    fulfilledQuantity: 0,
    requiresShipping: true,
    amounts: [{ currency: "EUR", unitPriceMinor: price, discountsMinor: 0 }],
    properties: {},
    groupId: null,
    bundle: null,
    ...changes,
  };
}

export function product(
  id: string,
  price: number,
  pair: string | null,
  changes: Partial<ShopOrderLine> = {},
) {
  return line(id, price, { properties: pair === null ? {} : { [PAIR]: pair }, ...changes });
}

/** The plan line of the 24-month reference for 300 to 399.99 euros, sold at 49.90. */
export function plan(id: string, pair: string | null, changes: Partial<ShopOrderLine> = {}) {
  return line(id, 4_990, {
    productId: "900",
    variantId: "9024",
    title: "Assurance casse 24 mois",
    sku: "SMA-24-04",
    properties: {
      [INSURED_VARIANT]: "8001",
      [REFERENCE]: "SMA-24-04",
      [CONSENT]: "1 2026-11-20T09:59:00.000Z",
      ...(pair === null ? {} : { [PAIR]: pair }),
    },
    ...changes,
  });
}

const reference = {
  billing: "annually" as const,
  categoryId: "Smartphone",
  currency: "EUR",
  bandMinMinor: 30_000,
  bandMaxMinor: 39_999,
  productReferenceIds: [],
  isOfOtherAccount: false,
};
export const catalogue: CatalogueView = {
  references: new Map([
    ["9024", { ...reference, referenceId: "SMA-24-04", termMonths: 24, pricesMinor: [4_990] }],
    [
      "9036",
      {
        ...reference,
        referenceId: "SMA-36-04",
        termMonths: 36,
        pricesMinor: [6_990],
        productReferenceIds: ["8009"],
      },
    ],
    [
      "9048",
      {
        ...reference,
        referenceId: "SMA-48-04",
        termMonths: 48,
        pricesMinor: [8_990],
        isOfOtherAccount: true,
      },
    ],
    ["9090", { ...reference, referenceId: "SMA-M", termMonths: 12, billing: "monthly", pricesMinor: [499] }],
    ["9099", { ...reference, referenceId: "SMA-600", termMonths: 12, pricesMinor: [60_001] }],
    ["9001", { ...reference, referenceId: "SMA-01-04", termMonths: 1, pricesMinor: [1] }],
    ["9012", { ...reference, referenceId: "SMA-12-04", termMonths: 12, pricesMinor: [3_190, 2_990] }],
  ]),
  categories: new Map([
    ["800", ["Smartphone"]],
    ["810", ["Photo"]],
  ]),
  isProduction: true,
  saleRule: saleRuleOf(defaultMerchantSettings.sale, "FR"),
  productFormat: "radio",
  hasOffer: (categoryId, { unitPriceMinor }) =>
    categoryId === "Smartphone" &&
    unitPriceMinor >= reference.bandMinMinor &&
    unitPriceMinor <= reference.bandMaxMinor,
};

/** The first plan of line 2 as the book has it sold, for 19.90. */
export const soldPlan = (changes: Partial<EventOf<"sold">> = {}): EventOf<"sold"> => ({
  type: "sold",
  item: { lineId: "2", number: 1 },
  referenceId: "REF",
  planVariantId: "2",
  planTitle: "Plan",
  termMonths: 12,
  offerPriceMinor: 1_990,
  premiumMinor: 1_990,
  currency: "EUR",
  insured: null,
  touchpoint: null,
  consent: null,
  conditionsUrl: null,
  ipidUrl: null,
  termsSha256: null,
  finding: null,
  replaces: null,
  ...changes,
});
