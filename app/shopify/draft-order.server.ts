/** Reads a draft order and writes its lines, which the platform takes as a whole. Both need the optional scopes. */
import { z } from "zod";
import { toCappedMinorUnits } from "#app/platform/money.ts";
import { draftOrderStatuses } from "./draft-order.ts";
import type { DraftOrder, DraftOrderLine, DraftOrderLineInput, DraftOrderProblem } from "./draft-order.ts";
import { AdminRefused } from "./errors.ts";
import { numericId } from "./gid.ts";
import { createAdminClient, joinMessages, userErrors } from "./graphql.server.ts";
import type { LineAmounts } from "./order.ts";

/** Limit of lines that are read: the platform allows 499, but no phone order has more than this. */
const MAX_LINES = 100;

/** Nobody waits longer, and the lock of who writes (app/merchants/staff-lock.server.ts) ends later. */
const TIMEOUT_MS = 8_000;

const DRAFT = `#graphql
  fragment ParasolDraft on DraftOrder {
    id name status currencyCode presentmentCurrencyCode discountCodes
    appliedDiscount { title value valueType }
    shippingLine { title }
    lineItems(first: ${MAX_LINES}) {
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

const money = z.object({ amount: z.string(), currencyCode: z.string() });
const gid = z.object({ id: z.string().transform(numericId) });
const discount = { title: z.string().nullable(), value: z.number(), valueType: z.string() };
const lineItem = z.object({
  uuid: z.string(),
  name: z.string(),
  title: z.string(),
  quantity: z.int(),
  custom: z.boolean(),
  sku: z.string().nullable(),
  requiresShipping: z.boolean(),
  taxable: z.boolean(),
  variant: gid.nullable(),
  product: gid.nullable(),
  customAttributes: z.array(z.object({ key: z.string(), value: z.string().nullable() })),
  appliedDiscount: z.object({ ...discount, description: z.string() }).nullable(),
  priceOverride: money.nullable(),
  originalUnitPriceWithCurrency: money.nullable(),
  originalUnitPriceSet: z.object({ shopMoney: money }),
  weight: z.object({ unit: z.string(), value: z.number() }).nullable(),
  components: z.array(z.object({ uuid: z.string() })),
});
type LineItem = z.infer<typeof lineItem>;

const lineItems = z.object({
  nodes: z.array(lineItem),
  pageInfo: z.object({ hasNextPage: z.boolean() }),
});

const draftOrder = z
  .object({
    id: z.string().transform(numericId),
    name: z.string(),
    status: z.enum(draftOrderStatuses),
    currencyCode: z.string(),
    presentmentCurrencyCode: z.string(),
    discountCodes: z.array(z.string()),
    appliedDiscount: z.object(discount).nullable(),
    shippingLine: z.object({ title: z.string() }).nullable(),
    lineItems,
  })
  .transform((given): DraftOrder => {
    const { id, name, status, appliedDiscount, shippingLine, discountCodes } = given;
    return {
      ...{ id, name, status },
      currency: given.currencyCode,
      presentmentCurrency: given.presentmentCurrencyCode,
      lines: given.lineItems.nodes.map(readLine),
      problem: problemOf(given.lineItems),
      rest: JSON.stringify({ appliedDiscount, shippingLine, discountCodes }),
    };
  });

function problemOf({ nodes, pageInfo }: z.infer<typeof lineItems>): DraftOrderProblem | null {
  if (pageInfo.hasNextPage) return "many_lines";
  if (nodes.some(({ components }) => components.length > 0)) return "bundle";
  return nodes.some(({ custom, variant }) => !custom && variant === null) ? "deleted_variant" : null;
}

function readLine(item: LineItem): DraftOrderLine {
  const attributes = item.customAttributes.map(({ key, value }) => ({ key, value: value ?? "" }));
  return {
    uuid: item.uuid,
    line: {
      id: item.uuid,
      productId: item.product?.id ?? null,
      variantId: item.variant?.id ?? null,
      title: item.name,
      sku: item.sku,
      quantity: item.quantity,
      currentQuantity: item.quantity,
      amounts: amountsOf(item),
      properties: Object.fromEntries(attributes.map(({ key, value }) => [key, value])),
      groupId: null,
      // What staff take off may be set or changed until the order is paid.
      hasAimedDiscount: false,
    },
    input: {
      uuid: item.uuid,
      quantity: item.quantity,
      customAttributes: attributes,
      ...(item.appliedDiscount === null ? {} : { appliedDiscount: item.appliedDiscount }),
      ...(item.variant === null ? customInput(item) : variantInput(item.variant.id, item)),
    },
  };
}

/** It is not documented whether an item's price is already the one that staff set: both are shown. */
function amountsOf({ originalUnitPriceSet, priceOverride }: LineItem): [LineAmounts, ...LineAmounts[]] {
  const read = ({ amount, currencyCode }: z.infer<typeof money>): LineAmounts => ({
    currency: currencyCode,
    unitPriceMinor: toCappedMinorUnits(amount, currencyCode),
    discountsMinor: 0,
  });
  const listed = read(originalUnitPriceSet.shopMoney);
  return priceOverride === null ? [listed] : [listed, read(priceOverride)];
}

const variantInput = (variantId: string, { priceOverride }: LineItem) => ({
  variantId: `gid://shopify/ProductVariant/${variantId}`,
  ...(priceOverride === null ? {} : { priceOverride }),
});

const customInput = (item: LineItem) => ({
  title: item.title,
  originalUnitPriceWithCurrency: item.originalUnitPriceWithCurrency ?? item.originalUnitPriceSet.shopMoney,
  requiresShipping: item.requiresShipping,
  taxable: item.taxable,
  ...(item.sku === null ? {} : { sku: item.sku }),
  ...(item.weight === null ? {} : { weight: item.weight }),
});

const toGid = (draftOrderId: string) => `gid://shopify/DraftOrder/${draftOrderId}`;

/** Null: the shop has no such draft order. @throws AdminRefused, AdminUnavailable, NoAccess, AbortError */
export async function fetchDraftOrder(shop: string, draftOrderId: string): Promise<DraftOrder | null> {
  const client = createAdminClient(shop, { attempts: 2, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const { draftOrder: found } = await client.request({
    query: `${DRAFT} query ParasolDraftOrder($id: ID!) { draftOrder(id: $id) { ...ParasolDraft } }`,
    variables: { id: toGid(draftOrderId) },
    schema: z.object({ draftOrder: draftOrder.nullable() }),
    requestedCost: 60,
  });
  return found;
}

/**
 * Writes all lines of a draft order; nothing else of it is sent, so it stays. A repetition writes the same.
 * @throws AdminRefused where the platform does not accept them; AdminUnavailable, NoAccess, AbortError
 */
export async function writeDraftOrderLines(
  shop: string,
  draftOrderId: string,
  lines: readonly DraftOrderLineInput[],
): Promise<DraftOrder> {
  const client = createAdminClient(shop, { attempts: 2, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const { draftOrderUpdate } = await client.request({
    query: `${DRAFT} mutation ParasolDraftOrderLines($id: ID!, $input: DraftOrderInput!) {
      draftOrderUpdate(id: $id, input: $input) { draftOrder { ...ParasolDraft } userErrors { field message } } }`,
    variables: { id: toGid(draftOrderId), input: { lineItems: lines } },
    schema: z.object({
      draftOrderUpdate: z.object({ draftOrder: draftOrder.nullable(), userErrors }),
    }),
    requestedCost: 70,
  });
  if (draftOrderUpdate.draftOrder !== null && draftOrderUpdate.userErrors.length === 0)
    return draftOrderUpdate.draftOrder;
  throw new AdminRefused(joinMessages(draftOrderUpdate.userErrors), {
    ...{ shop, operation: "ParasolDraftOrderLines", requestId: null },
  });
}
