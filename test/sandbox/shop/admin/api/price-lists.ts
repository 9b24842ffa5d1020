/** Price lists of markets: their adjustment, and fixed prices of single variants. */
import { z } from "zod";
import { gid, parseGid } from "../../ids.ts";
import { findVariant } from "../../products.ts";
import type { Market, PriceList } from "../../state.ts";
import type { Reader } from "./reader.ts";
import { variantView } from "./product-views.ts";
import { type View, connection } from "./view.ts";

type PricedMarket = Market & { priceList: PriceList };

const hasPriceList = (market: Market): market is PricedMarket => market.priceList !== undefined;

export const marketsWithPriceList = ({ shop }: Reader): PricedMarket[] =>
  shop.state.markets.filter(hasPriceList);

export function findPriceList(read: Reader, id: string): PricedMarket | undefined {
  const parsed = parseGid(id);
  return marketsWithPriceList(read).find(
    ({ priceList }) => parsed?.type === "PriceList" && priceList.id === parsed.id,
  );
}

const pricesArguments = z.looseObject({ originType: z.enum(["FIXED", "RELATIVE"]) });

export function priceListView(read: Reader, { name, currency, priceList }: PricedMarket): View {
  const { adjustment, fixedPrices } = priceList;
  const currencyCode = currency ?? read.shop.state.currency;
  return {
    __typename: "PriceList",
    id: gid("PriceList", priceList.id),
    name: `${name} ${currencyCode}`,
    currency: currencyCode,
    parent: {
      __typename: "PriceListParent",
      adjustment: {
        __typename: "PriceListAdjustment",
        type: adjustment < 0 ? "PERCENTAGE_DECREASE" : "PERCENTAGE_INCREASE",
        value: Math.abs(adjustment),
      },
    },
    catalog: { __typename: "MarketCatalog", title: name },
    fixedPricesCount: fixedPrices.size,
    prices: (args: unknown) => {
      const { originType } = pricesArguments.parse(args);
      const items = originType === "FIXED" ? [...fixedPrices] : [];
      return connection(
        "PriceListPrice",
        {
          items,
          id: ([variantId]) => variantId,
          view: ([variantId, price]) => {
            const found = findVariant(read.shop.state, variantId);
            return {
              __typename: "PriceListPrice",
              originType,
              price: { __typename: "MoneyV2", amount: (price / 100).toFixed(2), currencyCode },
              variant: found === undefined ? null : variantView(read, found.product, found.variant),
            };
          },
        },
        args,
      );
    },
  };
}

const fixedPricesArguments = z.strictObject({
  priceListId: z.string(),
  prices: z
    .array(
      z.strictObject({
        variantId: z.string(),
        price: z.strictObject({ amount: z.coerce.number().nonnegative(), currencyCode: z.string() }),
      }),
    )
    .min(1),
});

/** Stricter than the platform, whose limit is not documented for this mutation: 250 prices a call. */
export function priceListFixedPricesAdd(read: Reader, args: unknown): View {
  const { priceListId, prices } = fixedPricesArguments.parse(args);
  const answer = (code: string | null, field: string[], message: string): View => ({
    __typename: "PriceListFixedPricesAddPayload",
    prices: null,
    userErrors: code === null ? [] : [{ __typename: "PriceListPriceUserError", field, message, code }],
  });
  const market = findPriceList(read, priceListId);
  if (!market) return answer("PRICE_LIST_NOT_FOUND", ["priceListId"], "Price list does not exist.");
  if (prices.length > 250) return answer("PRICE_LIMIT_EXCEEDED", ["prices"], "Too many prices.");
  for (const [index, { variantId, price }] of prices.entries()) {
    const field = ["prices", String(index)];
    const id = parseGid(variantId)?.id ?? "";
    if (findVariant(read.shop.state, id) === undefined)
      return answer("VARIANT_NOT_FOUND", [...field, "variantId"], "Variant does not exist.");
    if (price.currencyCode !== (market.currency ?? read.shop.state.currency))
      return answer("PRICE_LIST_CURRENCY_MISMATCH", [...field, "price"], "The currency does not match.");
  }
  for (const { variantId, price } of prices)
    market.priceList.fixedPrices.set(parseGid(variantId)?.id ?? "", Math.round(price.amount * 100));
  return answer(null, [], "");
}
