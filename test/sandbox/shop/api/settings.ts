/** The shop and the merchant's settings in it: languages, markets, price lists, checkout rules, the theme. */
import type {
  MutationPriceListFixedPricesAddArgs,
  MutationValidationCreateArgs,
  MutationValidationUpdateArgs,
} from "#app/shopify/types/admin.types.d.ts";
import { themeFiles } from "../admin/theme-files.ts";
import { cartValidations } from "../functions/cart-validation.ts";
import { gid, nextId, parseGid } from "../ids.ts";
import { minorUnits } from "../money.ts";
import { findVariant } from "../products.ts";
import type { ShopSandbox } from "../sandbox.ts";
import type { Market, PriceList, Validation } from "../state.ts";
import { moneyV2, requireId, requireKnown, typed, userError } from "./resolver.ts";
import type { Call, Resolvers, UserError } from "./resolver.ts";
import { search } from "./search.ts";

/** The one theme that the stand-in publishes. */
export const THEME_ID = "176512340001";

/** Shopify's limit of active checkout rules in a shop. */
const MOST_VALIDATIONS = 25;

export const settingsTypes: Resolvers = {
  QueryRoot: {
    shop: (_, __, { shop }) => shop.state,
    currentAppInstallation: (_, __, { shop }) => shop.state.installation,
    shopLocales: (_, __, { shop }) => shop.state.publishedLanguages.map((locale) => ({ locale })),
    markets: (_, { query }: { query?: string | null }, { shop }) =>
      search(shop.state.markets, query, {
        name: ({ name }) => name,
        status: ({ active }) => (active ? "ACTIVE" : "DRAFT"),
      }),
    priceLists: (_, __, { shop }) => priceListsOf(shop),
    priceList: (_, { id }: { id: string }, { shop }) =>
      priceListsOf(shop).find((each) => each.id === requireId("PriceList", id)) ?? null,
    shopifyFunctions: (_, __, { shop }) => deployedFunctions(shop),
    validations: (_, __, { shop }) => shop.state.validations,
    themes: (_, { roles }: { roles?: string[] | null }) =>
      (roles?.includes("MAIN") ?? true) ? [{ id: THEME_ID }] : [],
  },
  Shop: {
    currencyCode: ({ currency }: ShopSandbox["state"]) => currency,
    contactEmail: ({ domain }: ShopSandbox["state"]) => `contact@${domain}`,
    ianaTimezone: ({ timezone }: ShopSandbox["state"]) => timezone,
    shopAddress: ({ country }: ShopSandbox["state"]) => ({ countryCodeV2: country }),
    plan: ({ plan }: ShopSandbox["state"]) => ({
      shopifyPlus: plan === "Shopify Plus",
      partnerDevelopment: false,
    }),
  },
  AppInstallation: {
    accessScopes: ({ scopes }: { scopes: string[] }) => scopes.map((handle) => ({ handle })),
  },
  Market: {
    currencySettings: ({ currency, localCurrencies }: Market) =>
      currency === null ? null : { baseCurrency: { currencyCode: currency }, localCurrencies },
  },
  PriceList: {
    parent: ({ adjustment }: PricedMarket) => ({
      adjustment: {
        type: adjustment < 0 ? "PERCENTAGE_DECREASE" : "PERCENTAGE_INCREASE",
        value: Math.abs(adjustment),
      },
    }),
    catalog: ({ title }: PricedMarket) => typed("MarketCatalog", { title }),
    prices: ({ fixedPrices, currency }: PricedMarket, { originType }: { originType: string }, { shop }) =>
      originType === "FIXED"
        ? [...fixedPrices].map(([id, price]) => ({
            id,
            price: moneyV2(price, currency),
            variant: findVariant(shop.state, id)?.variant ?? null,
          }))
        : [],
  },
  Validation: {
    shopifyFunction: ({ appKey, functionHandle }: Validation) => ({ appKey, handle: functionHandle }),
  },
  OnlineStoreTheme: {
    files: (_, { filenames }: { filenames?: string[] | null }, { shop }) =>
      [...themeFiles(shop)]
        .filter(([name]) => filenames?.some((wanted) => isNamed(name, wanted)) ?? true)
        .map(([filename, content]) => ({
          id: filename,
          filename,
          body: typed("OnlineStoreThemeFileBodyText", { content }),
        })),
  },
  Mutation: {
    priceListFixedPricesAdd: (_, args: MutationPriceListFixedPricesAddArgs, call) => fixPrices(call, args),
    validationCreate: (_, args: MutationValidationCreateArgs, call) => createValidation(call, args),
    validationUpdate: (_, args: MutationValidationUpdateArgs, call) => updateValidation(call, args),
  },
};

function isNamed(name: string, wanted: string): boolean {
  return wanted.endsWith("*") ? name.startsWith(wanted.slice(0, -1)) : name === wanted;
}

type PricedMarket = PriceList & { name: string; title: string; currency: string };

function priceListsOf({ state }: ShopSandbox): PricedMarket[] {
  return state.markets.flatMap(({ name, currency, priceList }) => {
    const currencyOfList = currency ?? state.currency;
    return priceList === undefined
      ? []
      : [{ ...priceList, name: `${name} ${currencyOfList}`, title: name, currency: currencyOfList }];
  });
}

function fixPrices({ shop }: Call, { priceListId, prices }: MutationPriceListFixedPricesAddArgs) {
  const refuse = (...error: Parameters<typeof userError>) => ({ userErrors: [userError(...error)] });
  const list = priceListsOf(shop).find(({ id }) => gid("PriceList", id) === priceListId);
  if (list === undefined)
    return refuse("PRICE_LIST_NOT_FOUND", ["priceListId"], "Price list does not exist.");
  for (const [index, { variantId, price }] of prices.entries()) {
    if (findVariant(shop.state, parseGid(variantId)?.id ?? "") === undefined)
      return refuse("VARIANT_NOT_FOUND", ["prices", `${index}`], "Variant does not exist.");
    if (price.currencyCode !== list.currency)
      return refuse("PRICE_LIST_CURRENCY_MISMATCH", ["prices", `${index}`], "The currency does not match.");
  }
  for (const { variantId, price } of prices)
    list.fixedPrices.set(parseGid(variantId)?.id ?? "", minorUnits(price.amount, list.currency));
  return { userErrors: [] };
}

/** The Functions of the app's version. */
function deployedFunctions({ apiKey, api }: ShopSandbox) {
  if (!api.hasFunctions) return [];
  return cartValidations().map(({ handle }) => ({ id: `01-${handle}`, handle, appKey: apiKey }));
}

/** Why a checkout rule cannot be activated; empty if it can. */
function validationErrors(shop: ShopSandbox, handle: string, isNewlyOn: boolean): UserError[] {
  if (!deployedFunctions(shop).some((each) => each.handle === handle))
    return [
      userError("FUNCTION_NOT_FOUND", ["validation", "functionHandle"], `Function ${handle} not found.`),
    ];
  const active = shop.state.validations.filter(({ enabled }) => enabled).length;
  const message = `Cannot have more than ${MOST_VALIDATIONS} active validation functions.`;
  return isNewlyOn && active >= MOST_VALIDATIONS ? [userError("MAX_VALIDATIONS_ACTIVATED", [], message)] : [];
}

function createValidation({ shop }: Call, { validation: input }: MutationValidationCreateArgs) {
  requireKnown("ValidationCreateInput", input, ["functionHandle", "title", "enable", "blockOnFailure"]);
  const functionHandle = input.functionHandle ?? "";
  const enabled = input.enable ?? false;
  const userErrors = validationErrors(shop, functionHandle, enabled);
  if (userErrors.length === 0)
    shop.state.validations.push({
      id: nextId(shop.state, "validation"),
      title: input.title ?? functionHandle,
      appKey: shop.apiKey,
      functionHandle,
      enabled,
      blockOnFailure: input.blockOnFailure ?? false,
    });
  return { userErrors };
}

function updateValidation({ shop }: Call, { id, validation: input }: MutationValidationUpdateArgs) {
  requireKnown("ValidationUpdateInput", input, ["title", "enable", "blockOnFailure"]);
  const found = shop.state.validations.find((each) => gid("Validation", each.id) === id);
  if (found === undefined) return { userErrors: [userError("NOT_FOUND", ["id"], "Validation not found.")] };
  const enabled = input.enable ?? false;
  const userErrors = enabled ? validationErrors(shop, found.functionHandle, !found.enabled) : [];
  // By the schema's defaults a missing value means false, not unchanged.
  if (userErrors.length === 0)
    Object.assign(found, {
      enabled,
      blockOnFailure: input.blockOnFailure ?? false,
      title: input.title ?? found.title,
    });
  return { userErrors };
}
