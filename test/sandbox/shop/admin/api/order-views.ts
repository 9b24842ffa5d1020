/** Orders, their lines, refunds and customers as the Admin API shows them. */
import { convertMoney, decimalAmount, money } from "../../money.ts";
import { fulfilmentState, isClosed, leftToFulfil } from "../../fulfilments.ts";
import { gid } from "../../ids.ts";
import {
  discount,
  gateways,
  linesTotal,
  orderDiscounts,
  orderTax,
  orderTotal,
  received,
  refunded,
  shippingTotal,
  subtotal,
} from "../../order-sums.ts";
import { lineGroupId } from "../../line-groups.ts";
import { tipId } from "../../tips.ts";
import { findVariant } from "../../products.ts";
import type { Address, Allocation, DiscountApplication, Order, OrderLine, Refund } from "../../state.ts";
import { taxOn } from "../../taxes.ts";
import { dataProtected } from "./errors.ts";
import { fulfilmentOrdersOf, fulfilmentOrderView } from "./fulfilments.ts";
import { metafieldFields } from "./metafield-fields.ts";
import { isShown } from "./lists.ts";
import { productView, requireId, variantView } from "./product-views.ts";
import type { Reader } from "./reader.ts";
import { connection } from "./view.ts";
import type { View } from "./view.ts";

/** The pair of shop and presentment money. */
function bag(order: Order, minor: number): View {
  const paid = order.presentment;
  const view = (amount: number, currency: string): View => ({
    __typename: "MoneyV2",
    amount: decimalAmount(amount, currency),
    currencyCode: currency,
  });
  return {
    __typename: "MoneyBag",
    shopMoney: view(minor, order.currency),
    presentmentMoney:
      paid === null
        ? view(minor, order.currency)
        : view(convertMoney(minor, order.currency, paid.currency, paid.rate), paid.currency),
  };
}

/** The unit price of a line; in the customer's currency it is what was charged, not a conversion. */
function priceBag(order: Order, line: OrderLine): View {
  const both = bag(order, line.price);
  if (order.presentment === null || line.presentmentPrice === null) return both;
  const { currency } = order.presentment;
  const amount = decimalAmount(line.presentmentPrice, currency);
  return { ...both, presentmentMoney: { __typename: "MoneyV2", amount, currencyCode: currency } };
}

function allocationView(order: Order, { amount, application }: Allocation): View {
  return {
    __typename: "DiscountAllocation",
    allocatedAmountSet: bag(order, amount),
    discountApplication: () => {
      const applied = order.discountApplications[application];
      return applied === undefined ? null : applicationView(order, applied, application);
    },
  };
}

const applicationTypes = {
  automatic: "AutomaticDiscountApplication",
  discount_code: "DiscountCodeApplication",
  manual: "ManualDiscountApplication",
} as const;

function applicationView(order: Order, application: DiscountApplication, index: number): View {
  const { type, title, value } = application;
  return {
    __typename: applicationTypes[type],
    index,
    allocationMethod: application.allocationMethod.toUpperCase(),
    targetSelection: application.targetSelection.toUpperCase(),
    targetType: application.targetType.toUpperCase(),
    ...(type === "discount_code" ? { code: title } : { title }),
    value:
      "percentage" in value
        ? { __typename: "PricingPercentageValue", percentage: value.percentage }
        : {
            __typename: "MoneyV2",
            amount: decimalAmount(value.amount, order.currency),
            currencyCode: order.currency,
          },
  };
}

const attributes = (pairs: { name: string; value: string }[]): View[] =>
  pairs.map(({ name, value }) => ({ __typename: "Attribute", key: name, value }));

/** Whoever is not approved for protected customer data gets no order at all. */
export function requireOrders(read: Reader): void {
  if (!read.shop.webhooks.behaviour.approvedForOrders) throw dataProtected("access the Order object");
}

export function findOrder(read: Reader, globalId: string): Order | undefined {
  requireOrders(read);
  const order = read.shop.state.orders.get(requireId("Order", globalId));
  return order !== undefined && isShown(order, read.scopes) ? order : undefined;
}

const displayed = {
  unfulfilled: "UNFULFILLED",
  partial: "PARTIALLY_FULFILLED",
  fulfilled: "FULFILLED",
} as const;

export function orderView(read: Reader, order: Order): View {
  const { origin } = read.shop;
  const id = gid("Order", order.id);
  const total = orderTotal(order);
  const back = refunded(order);
  const lines = order.lines;
  const remaining = lines.reduce((sum, line) => sum + subtotal(line, line.currentQuantity), 0);
  const left = order.cancelledAt === null ? remaining + shippingTotal(order) : 0;
  const discounts = orderDiscounts(order);
  const paid = !["pending", "partially_paid", "voided"].includes(order.financialStatus);
  const codes = order.discountApplications.flatMap(({ type, title }) =>
    type === "discount_code" ? [title] : [],
  );
  const open = <T>(what: string, value: T): T | null => {
    const { protectedCustomerData, withheldAs } = read.shop.webhooks.behaviour;
    if (protectedCustomerData) return value;
    if (withheldAs === "error") throw dataProtected(what);
    return null;
  };
  return {
    __typename: "Order",
    id,
    legacyResourceId: order.id,
    name: order.name,
    number: Number(order.name.slice(1)),
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
    processedAt: order.processedAt,
    cancelledAt: order.cancelledAt,
    cancelReason: order.cancelReason?.toUpperCase() ?? null,
    cancellation: order.cancelledAt === null ? null : { __typename: "OrderCancellation", staffNote: null },
    closed: isClosed(order),
    closedAt: isClosed(order) ? order.updatedAt : null,
    confirmed: true,
    test: order.gateway === "bogus",
    edited: order.edits.length > 0,
    displayFinancialStatus: order.financialStatus.toUpperCase(),
    displayFulfillmentStatus: displayed[fulfilmentState(order)],
    fulfillmentOrders: (args: unknown) =>
      connection(
        "FulfillmentOrder",
        {
          items: fulfilmentOrdersOf(order),
          id: ({ id }) => id,
          view: (each) => fulfilmentOrderView(each, (line) => lineView(read, order, line)),
        },
        args,
      ),
    fullyPaid: paid,
    unpaid: !paid,
    refundable: paid && back < total,
    capturable: false,
    currencyCode: order.currency,
    presentmentCurrencyCode: order.presentment?.currency ?? order.currency,
    taxesIncluded: order.taxesIncluded,
    taxExempt: false,
    dutiesIncluded: false,
    estimatedTaxes: false,
    email: () => open("use the email field", order.email),
    phone: () => open("use the phone field", order.phone),
    note: null,
    poNumber: null,
    tags: [],
    customerAcceptsMarketing: order.acceptsMarketing,
    customerLocale: order.locale,
    sourceName: order.sourceName,
    sourceIdentifier: null,
    paymentGatewayNames: gateways(order),
    requiresShipping: lines.some(({ requiresShipping }) => requiresShipping),
    discountCode: codes[0] ?? null,
    discountCodes: codes,
    discountApplications: (args: unknown) =>
      connection(
        "DiscountApplication",
        {
          items: order.discountApplications.map((application, index) => ({ application, index })),
          id: ({ index }) => `${order.id}-${index}`,
          view: ({ application, index }) => applicationView(order, application, index),
        },
        args,
      ),
    customAttributes: attributes(order.noteAttributes),
    statusPageUrl: () => `${origin}/checkout/orders/${order.id}`,
    purchasingEntity: () => (order.company ? { __typename: "PurchasingCompany" } : customerOf(order)),
    customer: () =>
      open("access the Customer object", order.customer === null ? null : customerView(order.customer)),
    billingAddress: () =>
      open("access the MailingAddress object", addressView(order.billingAddress, order.id, 1)),
    shippingAddress: () =>
      open("access the MailingAddress object", addressView(order.shippingAddress, order.id, 2)),
    displayAddress: () =>
      open(
        "access the MailingAddress object",
        addressView(order.shippingAddress ?? order.billingAddress, order.id, 2),
      ),
    billingAddressMatchesShippingAddress:
      JSON.stringify(order.billingAddress) === JSON.stringify(order.shippingAddress),
    lineItems: (args: unknown) =>
      connection(
        "LineItem",
        {
          items: [...lines, ...(order.tip > 0 ? ["tip" as const] : [])],
          id: (item) => (item === "tip" ? tipId(order) : item.id),
          view: (item) => (item === "tip" ? tipView(order) : lineView(read, order, item)),
        },
        args,
      ),
    refunds: () => order.refunds.map((refund) => refundView(read, order, refund)),
    transactions: () => transactionsOf(order),
    totalPriceSet: bag(order, total),
    originalTotalPriceSet: bag(order, total),
    currentTotalPriceSet: bag(order, left),
    subtotalPriceSet: bag(order, linesTotal(order)),
    currentSubtotalPriceSet: bag(order, order.cancelledAt === null ? remaining : 0),
    totalDiscountsSet: bag(order, discounts),
    currentTotalDiscountsSet: bag(order, discounts),
    totalShippingPriceSet: bag(order, shippingTotal(order)),
    totalTaxSet: bag(order, orderTax(order)),
    currentTotalTaxSet: bag(order, taxOn(left, { taxesIncluded: true })),
    totalTipReceivedSet: bag(order, order.tip),
    totalRefundedSet: bag(order, back),
    totalReceivedSet: bag(order, received(order)),
    totalOutstandingSet: bag(order, Math.max(0, total - received(order))),
    netPaymentSet: bag(order, received(order) - back),
    subtotalLineItemsQuantity: lines.reduce((sum, line) => sum + line.quantity, 0),
    currentSubtotalLineItemsQuantity: lines.reduce((sum, line) => sum + line.currentQuantity, 0),
    ...metafieldFields(read, id),
  };
}

const customerOf = ({ customer }: Order): View | null => (customer === null ? null : customerView(customer));

const groupView = (id: string | null): View | null =>
  id === null ? null : { __typename: "LineItemGroup", id: gid("LineItemGroup", id) };

export function lineView(read: Reader, order: Order, line: OrderLine): View {
  const found = findVariant(read.shop.state, line.variantId);
  const product = read.shop.state.products.get(line.productId);
  const full = line.price * line.quantity;
  const unit = Math.floor((full - discount(line)) / line.quantity);
  return {
    __typename: "LineItem",
    id: gid("LineItem", line.id),
    title: line.title,
    name: line.variantTitle === "" ? line.title : `${line.title} - ${line.variantTitle}`,
    variantTitle: line.variantTitle === "" ? null : line.variantTitle,
    sku: line.sku,
    vendor: line.vendor,
    quantity: line.quantity,
    currentQuantity: line.currentQuantity,
    refundableQuantity: line.currentQuantity,
    unfulfilledQuantity: leftToFulfil(order, line),
    nonFulfillableQuantity: line.quantity - line.currentQuantity,
    requiresShipping: line.requiresShipping,
    taxable: line.taxable,
    isGiftCard: product?.giftCard === true,
    restockable: true,
    merchantEditable: true,
    customAttributes: attributes(line.properties),
    originalUnitPriceSet: priceBag(order, line),
    originalTotalSet: bag(order, full),
    discountedUnitPriceSet: bag(order, unit),
    discountedUnitPriceAfterAllDiscountsSet: bag(order, unit),
    discountedTotalSet: () => bag(order, full - discount(line)),
    totalDiscountSet: bag(order, discount(line)),
    discountAllocations: line.discounts.map((allocation) => allocationView(order, allocation)),
    taxLines: () =>
      line.taxable
        ? [
            {
              __typename: "TaxLine",
              title: "FR TVA",
              rate: 0.2,
              ratePercentage: 20,
              priceSet: bag(order, taxOn(full - discount(line), order)),
            },
          ]
        : [],
    lineItemGroup: groupView(lineGroupId(order, line)),
    sellingPlan: line.sellingPlan
      ? {
          __typename: "LineItemSellingPlan",
          name: line.sellingPlan.name,
          sellingPlanId: gid("SellingPlan", line.sellingPlan.id),
        }
      : null,
    image: () => null,
    // Both are null once they are deleted, as on the platform.
    product: () => (product === undefined ? null : productView(read, product)),
    variant: () => (found === undefined ? null : variantView(read, found.product, found.variant)),
  };
}

/** A tip is a line of no product, of which nothing can be fulfilled. */
function tipView(order: Order): View {
  const amount = bag(order, order.tip);
  const nothing = bag(order, 0);
  return {
    __typename: "LineItem",
    id: gid("LineItem", tipId(order)),
    ...{ title: "Tip", name: "Tip", variantTitle: null, sku: null, vendor: null },
    ...{ quantity: 1, currentQuantity: 1, refundableQuantity: 1, unfulfilledQuantity: 0 },
    ...{ nonFulfillableQuantity: 1, requiresShipping: false, taxable: false, isGiftCard: false },
    ...{ restockable: false, merchantEditable: false, customAttributes: [] },
    ...{ originalUnitPriceSet: amount, originalTotalSet: amount, discountedUnitPriceSet: amount },
    ...{ discountedUnitPriceAfterAllDiscountsSet: amount, discountedTotalSet: amount },
    ...{ totalDiscountSet: nothing, discountAllocations: [], taxLines: [] },
    ...{ lineItemGroup: null, sellingPlan: null, image: null, product: null, variant: null },
  };
}

export function refundView(read: Reader, order: Order, refund: Refund): View {
  return {
    __typename: "Refund",
    id: gid("Refund", refund.id),
    legacyResourceId: refund.id,
    createdAt: refund.createdAt,
    updatedAt: refund.createdAt,
    processedAt: refund.createdAt,
    note: refund.note,
    order: () => orderView(read, order),
    return: null,
    duties: [],
    totalRefundedSet: bag(
      order,
      refund.transactions.reduce((sum, { amount }) => sum + amount, 0),
    ),
    refundLineItems: (args: unknown) =>
      connection(
        "RefundLineItem",
        {
          items: refund.lines,
          id: (item) => item.id,
          view: (item) => ({
            __typename: "RefundLineItem",
            id: gid("RefundLineItem", item.id),
            quantity: item.quantity,
            restockType: "RETURN",
            restocked: true,
            subtotalSet: bag(order, item.subtotal),
            totalTaxSet: bag(order, taxOn(item.subtotal, order)),
            lineItem: () => {
              const line = order.lines.find(({ id }) => id === item.lineId);
              return line === undefined ? null : lineView(read, order, line);
            },
          }),
        },
        args,
      ),
    transactions: (args: unknown) =>
      connection(
        "OrderTransaction",
        {
          items: refund.transactions,
          id: (item) => item.id,
          view: ({ id, amount }) =>
            transactionView(order, id, { kind: "REFUND", gateway: order.gateway, amount }, refund.createdAt),
        },
        args,
      ),
  };
}

function transactionsOf(order: Order): View[] {
  const sale = order.payments.map(({ gateway, amount }, index) =>
    transactionView(order, `${order.id}${index}`, { kind: "SALE", gateway, amount }, order.processedAt),
  );
  return [
    ...sale,
    ...order.refunds.flatMap((refund) =>
      refund.transactions.map(({ id, amount }) =>
        transactionView(order, id, { kind: "REFUND", gateway: order.gateway, amount }, refund.createdAt),
      ),
    ),
  ];
}

function transactionView(
  order: Order,
  id: string,
  { kind, gateway, amount }: { kind: string; gateway: string; amount: number },
  at: string,
): View {
  return {
    __typename: "OrderTransaction",
    id: gid("OrderTransaction", id),
    kind,
    status: "SUCCESS",
    gateway,
    formattedGateway: gateway,
    createdAt: at,
    processedAt: at,
    test: order.gateway === "bogus",
    amountSet: bag(order, amount),
    amount: money(amount, order.currency),
    errorCode: null,
  };
}

function customerView(customer: NonNullable<Order["customer"]>): View {
  const name = [customer.first_name, customer.last_name].filter((part) => part !== null).join(" ");
  return {
    __typename: "Customer",
    id: gid("Customer", customer.id),
    legacyResourceId: customer.id,
    displayName: name || customer.email || "",
    firstName: customer.first_name,
    lastName: customer.last_name,
    email: customer.email,
    phone: customer.phone,
    defaultEmailAddress:
      customer.email === null ? null : { __typename: "CustomerEmailAddress", emailAddress: customer.email },
    defaultPhoneNumber:
      customer.phone === null ? null : { __typename: "CustomerPhoneNumber", phoneNumber: customer.phone },
  };
}

function addressView(address: Address | null, orderId: string, which: number): View | null {
  if (address === null) return null;
  const name = [address.first_name, address.last_name].filter((part) => part !== null).join(" ");
  const country =
    address.country_code === null
      ? null
      : (new Intl.DisplayNames("en", { type: "region" }).of(address.country_code) ?? null);
  return {
    __typename: "MailingAddress",
    id: `${gid("MailingAddress", `${orderId}${which}`)}?model_name=Address`,
    firstName: address.first_name,
    lastName: address.last_name,
    name: name === "" ? null : name,
    company: address.company,
    address1: address.address1,
    address2: address.address2,
    city: address.city,
    zip: address.zip,
    country,
    countryCodeV2: address.country_code,
    countryCode: address.country_code,
    province: null,
    provinceCode: null,
    phone: address.phone,
    formatted: () =>
      [name, address.address1, `${address.zip ?? ""} ${address.city ?? ""}`.trim(), country].filter(
        (part) => part !== null && part !== "",
      ),
    latitude: null,
    longitude: null,
  };
}
