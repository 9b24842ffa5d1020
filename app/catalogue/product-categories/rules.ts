/** The insurance category of a product: the merchant's rules, in order, and overrides of single products. */
import { z } from "zod";
import { MAX_CONDITION_TEXT } from "./product-list.ts";

const text = z.string().trim().min(1).max(MAX_CONDITION_TEXT);
const platformId = z.string().regex(/^\d{1,20}$/);

/** Texts are compared without case and accents. Ids are Shopify's, as strings. */
export const condition = z.discriminatedUnion("field", [
  z.object({ field: z.literal("product_type"), value: text }),
  z.object({ field: z.literal("vendor"), value: text }),
  z.object({ field: z.literal("tag"), value: text }),
  z.object({ field: z.literal("title"), value: text }),
  z.object({ field: z.literal("collection"), value: platformId }),
  z.object({ field: z.literal("product"), value: platformId }),
  z
    .object({
      field: z.literal("price"),
      /** of the product's cheapest variant, integer minor units, both ends included; null: no limit */
      minMinor: z.number().int().nonnegative().nullable(),
      maxMinor: z.number().int().nonnegative().nullable(),
    })
    .refine(({ minMinor, maxMinor }) => minMinor === null || maxMinor === null || minMinor <= maxMinor, {
      message: "price_range",
    }),
]);
export type Condition = z.infer<typeof condition>;

/** Limit of formulas in a universe: a shopper could not choose from more. */
export const MAX_UNIVERSE = 20;

const categoryName = z.string().min(1).max(500);

export const rule = z.object({
  id: z.string().min(1).max(100),
  /** all must hold */
  conditions: z.array(condition).min(1).max(10),
  /** null: matching products get no insurance */
  categoryId: categoryName.nullable(),
  /** further categories of the same universe, sold beside it as formulas, in this order; missing if there are none */
  otherCategoryIds: z
    .array(categoryName)
    .max(MAX_UNIVERSE - 1)
    .exactOptional(),
});
export type Rule = z.infer<typeof rule>;

/** The fields of a product that rules check. */
export interface RuleProduct {
  productId: string;
  title: string;
  productType: string;
  vendor: string;
  tags: readonly string[];
  /** collection ids */
  collections: readonly string[];
  /** Variants of it require components, so an order names those. */
  isBundle: boolean;
  /** price of the cheapest variant, integer minor units; null: no variant is known */
  minPriceMinor: number | null;
}

export interface CategoryDecision {
  categoryId: string | null;
  /** the rule's id, `override`, `bundle`, or null if no rule matched */
  decidedBy: string | null;
}

/** @param overrides the merchant's own choices, by product id; null excludes the product */
export function decideCategory(
  product: RuleProduct,
  rules: readonly Rule[],
  overrides: ReadonlyMap<string, string | null>,
): CategoryDecision {
  // The order has the components as lines, and may not name the bundle (docs/decisions/0017-bundles.md).
  if (product.isBundle) return { categoryId: null, decidedBy: "bundle" };
  const override = overrides.get(product.productId);
  if (override !== undefined) return { categoryId: override, decidedBy: "override" };
  const first = rules.find(({ conditions }) => conditions.every((each) => matches(each, product)));
  return first
    ? { categoryId: first.categoryId, decidedBy: first.id }
    : { categoryId: null, decidedBy: null };
}

function matches(condition: Condition, product: RuleProduct): boolean {
  switch (condition.field) {
    case "product_type":
      return isSame(condition.value, product.productType);
    case "vendor":
      return isSame(condition.value, product.vendor);
    case "tag":
      return product.tags.some((tag) => isSame(condition.value, tag));
    case "title":
      return normalise(product.title).includes(normalise(condition.value));
    case "collection":
      return product.collections.includes(condition.value);
    case "product":
      return condition.value === product.productId;
    case "price":
      return (
        product.minPriceMinor !== null &&
        (condition.minMinor ?? 0) <= product.minPriceMinor &&
        product.minPriceMinor <= (condition.maxMinor ?? Infinity)
      );
  }
}

function isSame(a: string, b: string): boolean {
  return normalise(a) === normalise(b);
}

function normalise(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").trim().toLowerCase();
}

/** The rules of a form, as JSON. Their number is limited, and their ids are unique. */
export const rulesForm = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue("Not JSON");
      return z.NEVER;
    }
  })
  .pipe(
    z
      .array(rule)
      .max(500)
      .refine((rules) => new Set(rules.map(({ id }) => id)).size === rules.length),
  );
