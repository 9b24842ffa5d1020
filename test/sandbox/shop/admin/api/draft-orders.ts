/** Draft orders of the Admin API: as they are shown, and draftOrderUpdate, which takes their lines as a whole. */
import { z } from "zod";
import { draftPrice, replaceDraftLines } from "../../draft-orders.ts";
import type { NewDraftLine } from "../../draft-orders.ts";
import { gid, parseGid } from "../../ids.ts";
import { decimalAmount, minorUnits } from "../../money.ts";
import { OrderRefused } from "../../orders.ts";
import { findVariant } from "../../products.ts";
import type { DraftDiscount, DraftLine, DraftOrder } from "../../state.ts";
import { NotImplemented } from "./errors.ts";
import { requireOrders } from "./order-views.ts";
import { productView, requireId, variantView } from "./product-views.ts";
import type { Reader } from "./reader.ts";
import { connection } from "./view.ts";
import type { View } from "./view.ts";

/** Whoever is not approved for orders gets none of these either: assumed. */
export function findDraftOrder(read: Reader, globalId: string): DraftOrder | undefined {
  requireOrders(read);
  return read.shop.state.draftOrders.get(requireId("DraftOrder", globalId));
}

const moneyView = (minor: number, currency: string): View => ({
  __typename: "MoneyV2",
  amount: decimalAmount(minor, currency),
  currencyCode: currency,
});

const discountView = (discount: DraftDiscount | null): View | null =>
  discount === null ? null : { __typename: "DraftOrderAppliedDiscount", ...discount };

export function draftOrderView(read: Reader, draft: DraftOrder): View {
  return {
    __typename: "DraftOrder",
    id: gid("DraftOrder", draft.id),
    name: draft.name,
    status: draft.status,
    currencyCode: read.shop.state.currency,
    presentmentCurrencyCode: draft.presentmentCurrency,
    discountCodes: draft.discountCodes,
    appliedDiscount: discountView(draft.discount),
    shippingLine:
      draft.shipping === null ? null : { __typename: "ShippingLine", title: draft.shipping.title },
    lineItems: (args: unknown) =>
      connection(
        "DraftOrderLineItem",
        { items: draft.lines, id: ({ id }) => id, view: (line) => lineView(read, draft, line) },
        args,
      ),
  };
}

function lineView(read: Reader, draft: DraftOrder, line: DraftLine): View {
  const { state } = read.shop;
  const found = line.variantId === null ? undefined : findVariant(state, line.variantId);
  const { custom } = line;
  const title = custom?.title ?? found?.product.title ?? "";
  const variantTitle = found?.variant.title ?? "Default Title";
  const price = draftPrice(state, line);
  return {
    __typename: "DraftOrderLineItem",
    id: gid("DraftOrderLineItem", line.id),
    uuid: line.uuid,
    title,
    name: variantTitle === "Default Title" ? title : `${title} - ${variantTitle}`,
    quantity: line.quantity,
    custom: custom !== null,
    sku: custom?.sku ?? found?.variant.sku ?? null,
    requiresShipping: custom?.requiresShipping ?? found?.variant.requiresShipping ?? false,
    taxable: custom?.taxable ?? found?.variant.taxable ?? false,
    variant: found === undefined ? null : variantView(read, found.product, found.variant),
    product: found === undefined ? null : productView(read, found.product),
    customAttributes: line.properties.map(({ name, value }) => ({
      __typename: "Attribute",
      key: name,
      value,
    })),
    appliedDiscount: discountView(line.discount),
    priceOverride:
      line.priceOverride === null ? null : moneyView(line.priceOverride, draft.presentmentCurrency),
    originalUnitPriceWithCurrency: custom === null ? null : moneyView(custom.price, state.currency),
    originalUnitPriceSet: {
      __typename: "MoneyBag",
      shopMoney: moneyView(price, state.currency),
      presentmentMoney: moneyView(price, draft.presentmentCurrency),
    },
    weight: null,
    components: line.components.map(({ uuid }) => ({ __typename: "DraftOrderLineItem", uuid })),
  };
}

const amount = z.strictObject({ amount: z.union([z.string(), z.number()]), currencyCode: z.string() });
const lineInput = z.strictObject({
  uuid: z.string().nullish(),
  variantId: z.string().nullish(),
  quantity: z.int(),
  customAttributes: z.array(z.strictObject({ key: z.string(), value: z.string() })).nullish(),
  appliedDiscount: z
    .strictObject({
      title: z.string().nullish(),
      description: z.string().nullish(),
      value: z.number(),
      valueType: z.enum(["FIXED_AMOUNT", "PERCENTAGE"]),
    })
    .nullish(),
  priceOverride: amount.nullish(),
  title: z.string().nullish(),
  originalUnitPriceWithCurrency: amount.nullish(),
  requiresShipping: z.boolean().nullish(),
  taxable: z.boolean().nullish(),
  sku: z.string().nullish(),
});
const updateArguments = z.object({
  id: z.string(),
  input: z.strictObject({ lineItems: z.array(lineInput) }),
});

export function draftOrderUpdate(read: Reader, args: unknown): View {
  const parsed = updateArguments.safeParse(args);
  if (!parsed.success) throw new NotImplemented(`draftOrderUpdate: ${z.prettifyError(parsed.error)}`);
  const { id, input } = parsed.data;
  const answer = (draftOrder: View | null, userErrors: View[]): View => ({
    __typename: "DraftOrderUpdatePayload",
    ...{ draftOrder, userErrors },
  });
  const draft = findDraftOrder(read, id);
  try {
    if (draft === undefined) throw new OrderRefused("Draft order not found");
    replaceDraftLines(
      read.shop.state,
      draft,
      input.lineItems.map((line) => readLine(draft, line)),
    );
    return answer(draftOrderView(read, draft), []);
  } catch (error) {
    if (!(error instanceof OrderRefused)) throw error;
    return answer(null, [{ __typename: "UserError", field: ["input"], message: error.message }]);
  }
}

/** What is left out of a line is empty afterwards: its discount, its properties, the parts of a bundle. */
function readLine({ presentmentCurrency }: DraftOrder, given: z.infer<typeof lineInput>): NewDraftLine {
  const minor = (given: z.infer<typeof amount>): number => {
    const { amount: text, currencyCode } = given;
    if (currencyCode !== presentmentCurrency) throw new NotImplemented("a price in another currency");
    return minorUnits(String(text), currencyCode);
  };
  const { uuid, variantId, quantity, customAttributes, appliedDiscount, priceOverride } = given;
  const price = given.originalUnitPriceWithCurrency;
  return {
    ...(uuid == null ? {} : { uuid }),
    variantId: variantId == null ? null : (parseGid(variantId)?.id ?? ""),
    quantity,
    properties: (customAttributes ?? []).map(({ key, value }) => ({ name: key, value })),
    discount: appliedDiscount
      ? {
          ...{ value: appliedDiscount.value, valueType: appliedDiscount.valueType },
          ...{ title: appliedDiscount.title ?? null, description: appliedDiscount.description ?? "" },
        }
      : null,
    priceOverride: priceOverride ? minor(priceOverride) : null,
    custom:
      variantId == null && given.title != null && price
        ? {
            ...{ title: given.title, price: minor(price), sku: given.sku ?? null },
            ...{ requiresShipping: given.requiresShipping ?? false, taxable: given.taxable ?? false },
          }
        : null,
  };
}
