/** Reads the app's copy of the shop's products, with the decision on each. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";
import { keysetQuery } from "#app/platform/keyset.server.ts";
import { readKeyset, textKey } from "#app/platform/keyset.ts";
import { type ListPage, toListPage } from "#app/platform/list-page.ts";
import { type PageRequest } from "#app/platform/keyset.ts";
import type { Prisma } from "#app/platform/prisma/client.ts";
import { overrideVersion } from "./category-override.server.ts";
import { type Decider, deciders, type ListedProduct, NO_CATEGORY } from "./product-list.ts";
import type { Rule } from "./rules.ts";
import { variantName } from "#app/shopify/variant-name.ts";

/** From the URL; an invalid value is no filter. */
export const productFilter = z.object({
  /** in the product's title */
  query: z.string().trim().min(1).max(200).nullable().catch(null),
  category: z.string().min(1).nullable().catch(null),
  decided: z.enum(deciders).nullable().catch(null),
});
type ProductFilter = z.infer<typeof productFilter>;

/** Products by title. @param rules the current rules of the shop */
export async function pageOfProducts(
  shop: string,
  rules: readonly Rule[],
  filter: ProductFilter,
  request: PageRequest,
  size: number,
): Promise<ListPage<ListedProduct>> {
  const keyset = readKeyset(textKey, request);
  const columns = ["title", "productId"] as const;
  const { where, orderBy } = keysetQuery<Prisma.ShopProductScalarFieldEnum>(keyset, columns, "ASC");
  const rows = await db.shopProduct.findMany({
    where: { AND: [{ shop }, ...conditions(filter), where] },
    orderBy,
    take: size + 1,
  });
  const places = new Map(rules.map(({ id }, index) => [id, index + 1]));
  return toListPage(
    rows.map(({ productId, title, productType, vendor, status, minPriceMinor, ...row }) => ({
      productId,
      title,
      productType,
      vendor,
      status,
      minPriceMinor,
      categoryId: row.categoryId,
      writtenKey: row.writtenKey,
      decidedBy: deciderOf(row.decidedBy),
      rule: places.get(row.decidedBy ?? "") ?? null,
      version: overrideVersion(row),
    })),
    size,
    keyset,
    ({ title, productId }) => [title, productId],
  );
}

function deciderOf(decidedBy: string | null): Decider {
  if (decidedBy === null) return "nothing";
  return decidedBy === "override" || decidedBy === "bundle" ? decidedBy : "rule";
}

function conditions({ query, category, decided }: ProductFilter): Prisma.ShopProductWhereInput[] {
  const conditionList: Prisma.ShopProductWhereInput[] = [];
  if (query !== null) conditionList.push({ title: { contains: query, mode: "insensitive" } });
  if (category !== null) conditionList.push({ categoryId: category === NO_CATEGORY ? null : category });
  if (decided === "override" || decided === "bundle") conditionList.push({ decidedBy: decided });
  if (decided === "nothing") conditionList.push({ decidedBy: null });
  // In SQL a comparison with null is never true, so this also leaves out undecided products.
  if (decided === "rule") conditionList.push({ decidedBy: { notIn: ["override", "bundle"] } });
  return conditionList;
}

export interface VariantChoice {
  variantId: string;
  /** product and variant */
  title: string;
  priceMinor: number;
}

const CHOICES = 20;

/** Variants of products whose title contains these words, for a search field. */
export async function findVariantsByTitle(shop: string, words: string): Promise<VariantChoice[]> {
  const products = await db.shopProduct.findMany({
    where: { shop, title: { contains: words.trim(), mode: "insensitive" } },
    select: { productId: true, title: true },
    orderBy: { title: "asc" },
    take: CHOICES,
  });
  const titles = new Map(products.map(({ productId, title }) => [productId, title]));
  const variants = await db.shopVariant.findMany({
    where: { shop, productId: { in: [...titles.keys()] } },
    orderBy: [{ productId: "asc" }, { priceMinor: "asc" }, { variantId: "asc" }],
    take: CHOICES,
  });
  return variants.map(({ variantId, productId, title, priceMinor }) => ({
    variantId,
    title: variantName(titles.get(productId) ?? "", title),
    priceMinor,
  }));
}
