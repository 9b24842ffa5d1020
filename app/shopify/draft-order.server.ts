/** Reads a draft order and writes its lines, which Shopify accepts only as a whole. Both need the optional scopes. */
import { toCappedMinorUnits } from "#app/platform/money.ts";
import type { DraftOrder, DraftOrderLine, DraftOrderLineInput, DraftOrderProblem } from "./draft-order.ts";
import { AccessDenied, AdminRefused } from "./errors.ts";
import { gid, numericId } from "./gid.ts";
import { createAdminClient } from "./graphql.server.ts";
import type { LineAmounts } from "./order.ts";
import type { ParasolDraftFragment } from "./types/admin.generated.d.ts";

/** Staff do not wait longer. The writer's lock (app/merchants/staff-request.server.ts) expires later. */
const TIMEOUT_MS = 8_000;

/** A draft order has up to 499 lines. The first 100 suffice for a phone sale. */
const DRAFT = `#graphql
  fragment ParasolDraft on DraftOrder {
    id name status currencyCode presentmentCurrencyCode discountCodes
    appliedDiscount { title value valueType }
    shippingLine { title }
    lineItems(first: 100) {
      nodes {
        uuid name title quantity custom sku requiresShipping taxable
        variant { id }
        product { id }
        customAttributes { key value }
        appliedDiscount { title description value valueType }
        priceOverride { amount currencyCode }
        originalUnitPriceWithCurrency { amount currencyCode }
        originalUnitPriceSet { shopMoney { amount currencyCode } }
        weight { unit value }
        components { uuid }
      }
      pageInfo { hasNextPage }
    }
  }`;

type LineItem = ParasolDraftFragment["lineItems"]["nodes"][number];

function toDraftOrder(
  read: ParasolDraftFragment,
  buyer: Pick<DraftOrder, "delivery" | "email" | "isCompany">,
): DraftOrder {
  const { appliedDiscount, shippingLine, discountCodes } = read;
  return {
    id: numericId(read.id),
    name: read.name,
    status: read.status,
    currency: read.currencyCode,
    presentmentCurrency: read.presentmentCurrencyCode,
    ...buyer,
    lines: read.lineItems.nodes.map(readLine),
    problem: problemOf(read.lineItems),
    rest: JSON.stringify({ appliedDiscount, shippingLine, discountCodes }),
  };
}

function problemOf({ nodes, pageInfo }: ParasolDraftFragment["lineItems"]): DraftOrderProblem | null {
  if (pageInfo.hasNextPage) return "many_lines";
  if (nodes.some(({ components }) => components.length > 0)) return "bundle";
  return nodes.some(({ custom, variant }) => !custom && !variant) ? "deleted_variant" : null;
}

function readLine(item: LineItem): DraftOrderLine {
  const attributes = item.customAttributes.map(({ key, value }) => ({ key, value: value ?? "" }));
  return {
    uuid: item.uuid,
    line: {
      id: item.uuid,
      productId: item.product ? numericId(item.product.id) : null,
      variantId: item.variant ? numericId(item.variant.id) : null,
      title: item.name,
      sku: item.sku ?? null,
      quantity: item.quantity,
      currentQuantity: item.quantity,
      fulfilledQuantity: 0,
      requiresShipping: true,
      amounts: amountsOf(item),
      properties: Object.fromEntries(attributes.map(({ key, value }) => [key, value])),
      groupId: null,
      bundle: null,
      // Staff may still change the discount until the order is paid.
    },
    input: {
      uuid: item.uuid,
      quantity: item.quantity,
      customAttributes: attributes,
      ...(item.appliedDiscount ? { appliedDiscount: item.appliedDiscount } : {}),
      ...(item.variant ? variantInput(item.variant.id, item) : customInput(item)),
    },
  };
}

/**
 * The documentation does not say whether an item's price already includes the price that staff set, so both are
 * shown.
 */
function amountsOf({ originalUnitPriceSet, priceOverride }: LineItem): [LineAmounts, ...LineAmounts[]] {
  const read = ({ amount, currencyCode }: LineItem["originalUnitPriceSet"]["shopMoney"]): LineAmounts => ({
    currency: currencyCode,
    unitPriceMinor: toCappedMinorUnits(amount, currencyCode),
    discountsMinor: 0,
  });
  const listed = read(originalUnitPriceSet.shopMoney);
  return priceOverride ? [listed, read(priceOverride)] : [listed];
}

const variantInput = (variantId: string, { priceOverride }: LineItem) => ({
  variantId,
  ...(priceOverride ? { priceOverride } : {}),
});

const customInput = (item: LineItem) => ({
  title: item.title,
  originalUnitPriceWithCurrency: item.originalUnitPriceWithCurrency ?? item.originalUnitPriceSet.shopMoney,
  requiresShipping: item.requiresShipping,
  taxable: item.taxable,
  ...(item.sku == null ? {} : { sku: item.sku }),
  ...(item.weight ? { weight: item.weight } : {}),
});

/** Null: the shop has no such draft order. @throws AdminRefused, AdminUnavailable, NoAccess, AbortError */
export async function fetchDraftOrder(shop: string, draftOrderId: string): Promise<DraftOrder | null> {
  const client = createAdminClient(shop, { attempts: 2, signal: AbortSignal.timeout(TIMEOUT_MS) });
  // Shopify may withhold addresses; then the country is only checked in the paid order.
  const { data, denied } = await client.requestAllowed(
    `#graphql
    query ParasolDraftOrder($id: ID!) {
      draftOrder(id: $id) {
        ...ParasolDraft email shippingAddress { countryCodeV2 zip } purchasingEntity { __typename } } }
    ${DRAFT}`,
    { variables: { id: gid("DraftOrder", draftOrderId) }, requestedCost: 60 },
  );
  const { draftOrder } = data;
  if (!draftOrder && denied.length > 0) {
    const context = { shop, operation: "ParasolDraftOrder", requestId: null };
    throw new AccessDenied("the app is not given draft orders", context);
  }
  if (!draftOrder) return null;
  const { email, shippingAddress, purchasingEntity } = draftOrder;
  return toDraftOrder(draftOrder, {
    email: email ?? null,
    delivery: shippingAddress
      ? { country: shippingAddress.countryCodeV2 ?? null, postcode: shippingAddress.zip ?? null }
      : null,
    isCompany: purchasingEntity?.__typename === "PurchasingCompany",
  });
}

/**
 * Writes all lines of a draft order; all other fields stay. Writing the same lines twice is harmless.
 * @throws AdminRefused if Shopify does not accept them; AdminUnavailable, NoAccess, AbortError
 */
export async function writeDraftOrderLines(
  shop: string,
  draftOrderId: string,
  lines: readonly DraftOrderLineInput[],
): Promise<DraftOrder> {
  const client = createAdminClient(shop, { attempts: 2, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const { draftOrder } = await client.mutate(
    `#graphql
    mutation ParasolDraftOrderLines($id: ID!, $input: DraftOrderInput!) {
      draftOrderUpdate(id: $id, input: $input) { draftOrder { ...ParasolDraft } userErrors { field message } } }
    ${DRAFT}`,
    {
      variables: { id: gid("DraftOrder", draftOrderId), input: { lineItems: [...lines] } },
      requestedCost: 70,
    },
  );
  // The buyer was read before and is not written.
  if (draftOrder) return toDraftOrder(draftOrder, { delivery: null, email: null, isCompany: false });
  throw new AdminRefused("Shopify returned no draft order", {
    shop,
    operation: "ParasolDraftOrderLines",
    requestId: null,
  });
}
