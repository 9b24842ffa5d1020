/** Draft orders in the Admin API: their fields, and draftOrderUpdate, which replaces all lines. */
import type {
  DraftOrderLineItemInput,
  MoneyInput,
  MutationDraftOrderUpdateArgs,
} from "#app/shopify/types/admin.types.d.ts";
import { draftPrice, replaceDraftLines } from "../draft-orders.ts";
import type { NewDraftLine } from "../draft-orders.ts";
import { parseGid } from "../ids.ts";
import { minorUnits } from "../money.ts";
import { OrderRefused } from "../orders.ts";
import { findVariant } from "../products.ts";
import type { DraftLine, DraftOrder } from "../state.ts";
import { personal, refusedAs, requireOrders } from "./orders.ts";
import { moneyV2, NotImplemented, requireId, requireKnown, typed } from "./resolver.ts";
import type { Call, Resolvers } from "./resolver.ts";

/** Assumption: an app without the approval for orders gets no draft orders either. */
function findDraft(call: Call, id: string): DraftOrder | undefined {
  requireOrders(call);
  return call.shop.state.draftOrders.get(requireId("DraftOrder", id));
}

type LineOfDraft = DraftLine & { draft: DraftOrder };

const variantOf = ({ shop }: Call, { variantId }: DraftLine) => findVariant(shop.state, variantId ?? "");

export const draftOrderTypes: Resolvers = {
  QueryRoot: {
    draftOrder: (_, { id }: { id: string }, call) => findDraft(call, id) ?? null,
  },
  DraftOrder: {
    currencyCode: (_, __, { shop }) => shop.state.currency,
    email: ({ email }: DraftOrder, _, call) => personal(call, "access the email field", email),
    shippingAddress: ({ shippingAddress }: DraftOrder, _, call) =>
      personal(call, "access the MailingAddress object", shippingAddress),
    purchasingEntity: ({ company }: DraftOrder) => company && typed("PurchasingCompany", company),
    presentmentCurrencyCode: ({ presentmentCurrency }: DraftOrder) => presentmentCurrency,
    appliedDiscount: ({ discount }: DraftOrder) => discount,
    shippingLine: ({ shipping }: DraftOrder) => shipping,
    lineItems: (draft: DraftOrder) => draft.lines.map((line) => ({ ...line, draft })),
  },
  DraftOrderLineItem: {
    title: (line: DraftLine, _, call) => titleOf(line, call),
    name: (line: DraftLine, _, call) => {
      const variantTitle = variantOf(call, line)?.variant.title ?? "Default Title";
      const title = titleOf(line, call);
      return variantTitle === "Default Title" ? title : `${title} - ${variantTitle}`;
    },
    custom: ({ custom }: DraftLine) => custom !== null,
    sku: (line: DraftLine, _, call) => line.custom?.sku ?? variantOf(call, line)?.variant.sku ?? null,
    requiresShipping: (line: DraftLine, _, call) =>
      line.custom?.requiresShipping ?? variantOf(call, line)?.variant.requiresShipping ?? false,
    taxable: (line: DraftLine, _, call) =>
      line.custom?.taxable ?? variantOf(call, line)?.variant.taxable ?? false,
    variant: (line: DraftLine, _, call) => variantOf(call, line)?.variant ?? null,
    product: (line: DraftLine, _, call) => variantOf(call, line)?.product ?? null,
    customAttributes: ({ properties }: DraftLine) =>
      properties.map(({ name, value }) => ({ key: name, value })),
    appliedDiscount: ({ discount }: DraftLine) => discount,
    priceOverride: ({ priceOverride, draft }: LineOfDraft) =>
      priceOverride === null ? null : moneyV2(priceOverride, draft.presentmentCurrency),
    originalUnitPriceWithCurrency: ({ custom }: DraftLine, _, { shop }) =>
      custom === null ? null : moneyV2(custom.price, shop.state.currency),
    originalUnitPriceSet: (line: LineOfDraft, _, { shop }) => ({
      shopMoney: moneyV2(draftPrice(shop.state, line), shop.state.currency),
    }),
    weight: () => null,
  },
  Mutation: {
    draftOrderUpdate: (_, { id, input }: MutationDraftOrderUpdateArgs, call) => {
      requireKnown("DraftOrderInput", input, ["lineItems"]);
      return {
        draftOrder: null,
        ...refusedAs("input", () => {
          const draft = findDraft(call, id);
          if (draft === undefined) throw new OrderRefused("Draft order not found");
          const lines = (input.lineItems ?? []).map((line) => readLine(draft, line));
          replaceDraftLines(call.shop.state, draft, lines);
          return { draftOrder: draft, userErrors: [] };
        }),
      };
    },
  },
};

const titleOf = (line: DraftLine, call: Call): string =>
  line.custom?.title ?? variantOf(call, line)?.product.title ?? "";

const KNOWN_LINE = [
  ...["uuid", "variantId", "quantity", "customAttributes", "appliedDiscount", "priceOverride", "title"],
  ...["originalUnitPriceWithCurrency", "requiresShipping", "taxable", "sku"],
];

/** A field that is missing in a line's input becomes empty: its discount, its properties, the parts of a bundle. */
function readLine({ presentmentCurrency }: DraftOrder, input: DraftOrderLineItemInput): NewDraftLine {
  requireKnown("DraftOrderLineItemInput", input, KNOWN_LINE);
  const minor = ({ amount, currencyCode }: MoneyInput): number => {
    if (currencyCode !== presentmentCurrency) throw new NotImplemented("a price in another currency");
    return minorUnits(amount, currencyCode);
  };
  const { uuid, variantId, quantity, customAttributes, appliedDiscount, priceOverride, title } = input;
  const price = input.originalUnitPriceWithCurrency;
  return {
    ...(uuid == null ? {} : { uuid }),
    variantId: variantId == null ? null : (parseGid(variantId)?.id ?? ""),
    quantity,
    properties: (customAttributes ?? []).map(({ key, value }) => ({ name: key, value })),
    discount: appliedDiscount
      ? {
          title: appliedDiscount.title ?? null,
          description: appliedDiscount.description ?? "",
          value: appliedDiscount.value,
          valueType: appliedDiscount.valueType,
        }
      : null,
    priceOverride: priceOverride ? minor(priceOverride) : null,
    custom:
      variantId == null && title != null && price
        ? {
            title,
            price: minor(price),
            sku: input.sku ?? null,
            requiresShipping: input.requiresShipping ?? false,
            taxable: input.taxable ?? false,
          }
        : null,
  };
}
