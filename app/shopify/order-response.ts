/** How the Admin API writes an order: which fields the query reads, and how the response is parsed. */
import { sumStoredMinor, toStoredMinorUnits } from "#app/platform/money.ts";
import { numericId } from "./gid.ts";
import { addOfferedTouchpoints } from "./line-properties.ts";
import { moment } from "./moment.ts";
import { itemCount, readOrderLines } from "./order-lines.ts";
import type { LineAmounts, ShopAddress, ShopOrder, ShopOrderLine } from "./order.ts";
import { isPaid } from "./payloads/orders.ts";
import type {
  ParasolAddressFragment,
  ParasolLinesFragment,
  ParasolOrderFragment,
} from "./types/admin.generated.d.ts";

export const LINES = `#graphql
  fragment ParasolLines on LineItemConnection {
    nodes {
      id name sku quantity currentQuantity unfulfilledQuantity nonFulfillableQuantity requiresShipping
      product { id }
      variant { id }
      lineItemGroup { id }
      customAttributes { key value }
      originalUnitPriceSet { ...ParasolMoney }
      discountAllocations {
        allocatedAmountSet { ...ParasolMoney }
        discountApplication { targetSelection }
      }
    }
    pageInfo { hasNextPage endCursor }
  }
  fragment ParasolMoney on MoneyBag {
    shopMoney { amount currencyCode }
    presentmentMoney { amount currencyCode }
  }`;

export const ORDER = `#graphql
  fragment ParasolOrder on Order {
    id name processedAt updatedAt cancelledAt test currencyCode displayFinancialStatus paymentGatewayNames sourceName
    customerAcceptsMarketing email phone
    purchasingEntity { __typename }
    customAttributes { key value }
    billingAddress { ...ParasolAddress }
    shippingAddress { ...ParasolAddress }
    lineItems(first: 50) { ...ParasolLines }
  }
  fragment ParasolAddress on MailingAddress {
    firstName lastName company address1 address2 zip city countryCodeV2 phone
  }`;

type LineNode = ParasolLinesFragment["nodes"][number];

const text = (value: string | null | undefined): string | null => value?.trim() || null;

/** A tip comes as a line: of no product, and of which nothing can be fulfilled though nothing was taken back. */
const isTip = ({ product, variant, quantity, currentQuantity, nonFulfillableQuantity }: LineNode): boolean =>
  !product && !variant && nonFulfillableQuantity === quantity && currentQuantity === quantity;

const attributes = (list: ParasolOrderFragment["customAttributes"]): Record<string, string> =>
  Object.fromEntries(list.flatMap(({ key, value }) => (value == null ? [] : [[key, value]])));

function readAddress(value: ParasolAddressFragment | null | undefined): ShopAddress | null {
  if (!value) return null;
  return {
    firstName: text(value.firstName),
    lastName: text(value.lastName),
    company: text(value.company),
    address1: text(value.address1),
    address2: text(value.address2),
    zip: text(value.zip),
    city: text(value.city),
    countryCode: text(value.countryCodeV2),
    phone: text(value.phone),
  };
}

/**
 * @param nodes all of the order's lines
 * @throws RangeError, ZodError where an id or a moment is none
 */
export function toShopOrder(value: ParasolOrderFragment, nodes: readonly LineNode[]): ShopOrder {
  const sold = nodes.filter((node) => !isTip(node));
  const { lines, unreadableLines } = readOrderLines(sold, readLine);
  return {
    id: numericId(value.id),
    name: value.name,
    createdAt: moment.parse(value.processedAt),
    updatedAt: moment.parse(value.updatedAt),
    paid: isPaid(value.displayFinancialStatus ?? ""),
    cancelledAt: value.cancelledAt == null ? null : moment.parse(value.cancelledAt),
    test: value.test,
    currency: value.currencyCode,
    gateways: value.paymentGatewayNames,
    sourceName: text(value.sourceName) ?? "",
    // Null for guests, and where the app may not know a customer: a company is no customer.
    business: value.purchasingEntity?.__typename === "PurchasingCompany",
    acceptsMarketing: value.customerAcceptsMarketing,
    email: text(value.email),
    phone: text(value.phone),
    // The platform gives it to apps with `read_customers` alone.
    customerId: null,
    customer: null,
    billingAddress: readAddress(value.billingAddress),
    shippingAddress: readAddress(value.shippingAddress),
    lines: addOfferedTouchpoints(lines, attributes(value.customAttributes)),
    unreadableLines,
  };
}

function readLine(node: LineNode): ShopOrderLine {
  const amounts = (which: "shopMoney" | "presentmentMoney"): LineAmounts => {
    const { amount, currencyCode } = node.originalUnitPriceSet[which];
    return {
      currency: currencyCode,
      unitPriceMinor: toStoredMinorUnits(amount, currencyCode),
      discountsMinor: sumStoredMinor(
        node.discountAllocations.map(({ allocatedAmountSet }) =>
          toStoredMinorUnits(allocatedAmountSet[which].amount, currencyCode),
        ),
      ),
    };
  };
  const [inShop, paidIn] = [amounts("shopMoney"), amounts("presentmentMoney")];
  return {
    id: numericId(node.id),
    productId: node.product ? numericId(node.product.id) : null,
    variantId: node.variant ? numericId(node.variant.id) : null,
    title: node.name,
    sku: text(node.sku),
    quantity: itemCount.parse(node.quantity),
    currentQuantity: itemCount.parse(node.currentQuantity),
    fulfilledQuantity: Math.max(0, node.currentQuantity - node.unfulfilledQuantity),
    requiresShipping: node.requiresShipping,
    amounts: inShop.currency === paidIn.currency ? [inShop] : [inShop, paidIn],
    properties: attributes(node.customAttributes),
    groupId: node.lineItemGroup?.id ?? null,
    hasAimedDiscount: node.discountAllocations.some(
      ({ discountApplication }) => discountApplication.targetSelection !== "ALL",
    ),
  };
}
