/**
 * Parses the Function's input into the cart rule's lines, part by part, because Shopify's input is external. An
 * unreadable line is skipped, and a cart with one is not judged.
 */
import { partOf, text } from "../../../parts.ts";
import { planLine } from "../../../plan-line.ts";
import { refusalOf } from "../../../sale-rule.ts";
import type { Line } from "../../../storefront-scripts/cart-rules.ts";
import type { Band } from "../../../catalogue.ts";
import type { Properties } from "../../../storefront-scripts/plan-item.ts";

export interface ReadCart {
  lines: Line[];
  /** why the rule of sale refuses all plans of the cart; null: it does not */
  refusal: "stopped" | "country" | "company" | null;
  /** the buyer's language, such as `fr`; both kinds of Portuguese are `pt` */
  language: string;
  bandOf: (plan: Line) => Band[] | undefined;
  /** whether the plan is for the category of this product; true if either is unknown */
  isForCategory: (plan: Line, product: Line) => boolean;
  titleOf: (plan: Line) => string;
}

/** For which products a plan is: prices in minor units, and keys of categories. */
interface PlanBand {
  min: number;
  max: number;
  currency: string;
  categories: string[];
}

interface ReadLine {
  line: Line;
  title: string;
  currency: string;
  isPlan: boolean;
  /** of a product: the key of its insurance category */
  category: string | null;
  /** null where the variant has none */
  band: PlanBand | null;
  /** what the plan is offered for, minor units; null where the variant has none */
  offered: number | null;
}

/** Cart changes pass through invalid states: the product is removed before its plan. So only the checkout is judged. */
const steps = ["CHECKOUT_INTERACTION", "CHECKOUT_COMPLETION"];

/** Null: there is nothing to judge. */
export function readCart(input: unknown): ReadCart | null {
  if (!steps.includes(text(partOf(input, "buyerJourney", "step")) ?? "")) return null;
  const given = partOf(input, "cart", "lines");
  if (!Array.isArray(given)) return null;
  const read = given.flatMap((line) => readLine(line) ?? []);
  // A skipped line could be the product of a plan.
  if (read.length < given.length) return null;
  const byKey = new Map(read.map((each) => [each.line.key, each]));
  const products = read.filter(({ isPlan }) => !isPlan).map(({ line }) => line);
  return {
    lines: read.map((each) => (each.isPlan ? planLine(each.line, products) : each.line)),
    refusal: readRefusal(input),
    language: (text(partOf(input, "localization", "language", "isoCode")) ?? "").slice(0, 2).toLowerCase(),
    titleOf: ({ key }) => byKey.get(key)?.title ?? "",
    isForCategory(plan, product) {
      const categories = byKey.get(plan.key)?.band?.categories ?? [];
      const category = byKey.get(product.key)?.category ?? null;
      return categories.length === 0 || category === null || categories.includes(category);
    },
    bandOf(plan) {
      const { band, currency, offered } = byKey.get(plan.key) ?? {};
      const reference = plan.properties["_parasol_reference"];
      // Bands are amounts in the shop's currency. A converted price cannot be compared with them.
      if (!band || band.currency !== currency || reference === undefined) return undefined;
      const { min, max } = band;
      const price = offered ?? plan.price;
      return [
        { min, max, offers: [{ term: 0, price, billing: "annually", variant: plan.variant, reference }] },
      ];
    },
  };
}

/** The rule of every surface, with the buyer's data at the checkout. */
function readRefusal(input: unknown): ReadCart["refusal"] {
  const sale = partOf(input, "shop", "sale", "jsonValue");
  if (partOf(sale, "selling") === false) return "stopped";
  const countries = partOf(sale, "countries");
  const groups = partOf(input, "cart", "deliveryGroups");
  const rule = {
    countries: Array.isArray(countries) ? countries.flatMap((country) => text(country) ?? []) : [],
    companies: partOf(sale, "companies") !== false,
  };
  const isCompany =
    text(partOf(input, "cart", "buyerIdentity", "purchasingCompany", "company", "id")) !== null;
  const places: readonly unknown[] = Array.isArray(groups) && groups.length > 0 ? groups : [null];
  for (const group of places) {
    const country = text(partOf(group, "deliveryAddress", "countryCode"));
    const postcode = text(partOf(group, "deliveryAddress", "zip"));
    const refusal = refusalOf(rule, { delivery: { country, postcode }, isCompany });
    if (refusal === "country" || refusal === "company") return refusal;
  }
  return null;
}

/** The line's properties by their aliases in the query. */
const productClaims = [["_parasol_pair", "pair"]] as const;
const planClaims = [
  ...productClaims,
  ["_parasol_reference", "reference"],
  ["_parasol_variant", "insured"],
  ["_parasol_consent", "consent"],
] as const;

/** Null: unreadable. */
function readLine(given: unknown): ReadLine | null {
  const key = text(partOf(given, "id"));
  const quantity = partOf(given, "quantity");
  const price = minorUnits(partOf(given, "cost", "amountPerQuantity", "amount"));
  const currency = text(partOf(given, "cost", "amountPerQuantity", "currencyCode"));
  if (key === null || typeof quantity !== "number" || price === null || currency === null) return null;
  const variant =
    text(partOf(given, "merchandise", "id"))
      ?.split("/")
      .at(-1) ?? "";
  const product = partOf(given, "merchandise", "product");
  const band = readBand(partOf(given, "merchandise", "band", "jsonValue"));
  const offered = partOf(given, "merchandise", "price", "jsonValue");
  // A line with plan properties but no plan product is the merchant's own product and is not judged.
  const reference = text(partOf(given, "reference", "value"));
  const isPlan =
    band !== null || (reference !== null && reference === text(partOf(given, "merchandise", "sku")));
  const properties: Properties = {};
  for (const [name, alias] of isPlan ? planClaims : productClaims) {
    const value = text(partOf(given, alias, "value"));
    if (value !== null) properties[name] = value;
  }
  return {
    line: {
      key,
      variant,
      quantity,
      price,
      properties,
      parent: text(partOf(given, "parentRelationship", "parent", "id")) ?? undefined,
      isLocked: partOf(product, "isGiftCard") === true || price === 0,
    },
    title: text(partOf(product, "title")) ?? "",
    currency,
    isPlan,
    category: text(partOf(product, "category", "value")),
    band,
    offered: typeof offered === "number" ? offered : null,
  };
}

/** The metafield's list: `[min, max, currency, categories]`. */
function readBand(value: unknown): PlanBand | null {
  if (!Array.isArray(value)) return null;
  const parts: readonly unknown[] = value;
  const [min, max, currency, given = []] = parts;
  if (typeof min !== "number" || typeof max !== "number" || typeof currency !== "string") return null;
  const categories: readonly unknown[] = Array.isArray(given) ? given : [];
  return { min, max, currency, categories: categories.flatMap((category) => text(category) ?? []) };
}

/** `"12.5"` → 1250: prices are in hundredths, as in the catalogue. */
function minorUnits(amount: unknown): number | null {
  const [, units, fraction = ""] = /^(\d{1,12})(?:\.(\d+))?$/.exec(text(amount) ?? "") ?? [];
  return units === undefined ? null : Number(units + fraction.padEnd(2, "0").slice(0, 2));
}
