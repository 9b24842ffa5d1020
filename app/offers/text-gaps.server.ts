/** Reads which published languages of the shop lack texts. */
import { listUniverses } from "#app/catalogue/product-categories/rules.server.ts";
import { namesInUniverse } from "#app/catalogue/references/formula.ts";
import { listFormulas, listOfferedCategories } from "#app/catalogue/references/look-up.server.ts";
import { categoryKey, coverKey } from "#app/catalogue/sync/compact-catalogue.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { queryOrNull } from "#app/shopify/graphql.server.ts";
import { readStorefrontSettings } from "./storefront-settings.server.ts";
import type { StorefrontSettings } from "./storefront-settings.ts";
import { findTextGaps } from "./text-gaps.ts";
import type { CategoryTexts, FormulaTexts, TextGap } from "./text-gaps.ts";

const query = `#graphql
  query ParasolLanguages { shopLocales(published: true) { locale } }`;

/** The languages in which shoppers can read the shop. Null: Shopify is not reachable now. */
async function readPublishedLanguages(shop: string): Promise<string[] | null> {
  const answer = await queryOrNull(shop, "the shop's languages", query, {});
  return answer?.shopLocales.map(({ locale }) => locale) ?? null;
}

/** The offered categories with the insurer's texts. */
async function listCategoryTexts(shop: string, environment: Environment): Promise<CategoryTexts[]> {
  const offered = await listOfferedCategories(shop, environment);
  return [...offered.values()].map(({ category: { id, marketing } }) => ({
    key: categoryKey(id),
    name: id,
    bullets: marketing.modal.bulletPoints,
    legal: marketing.modal.legalText,
  }));
}

/** The offered categories with the insurer's texts, and the formulas that the merchant can describe. */
export async function listFormulaTexts(shop: string, environment: Environment): Promise<FormulaTexts[]> {
  const [categories, inCategory, universes] = await Promise.all([
    listCategoryTexts(shop, environment),
    listFormulas(shop, environment),
    listUniverses(shop),
  ]);
  const names = new Map([...universes.values()].flatMap((ids) => [...namesInUniverse(ids)]));
  return categories.map((category) => {
    const { key, name: id } = category;
    const formulas = inCategory.get(id)?.map((formula) => ({ key: coverKey(id, formula), name: formula }));
    const name = names.get(id);
    return { ...category, formulas: formulas ?? (name === undefined ? [] : [{ key, name }]) };
  });
}

/**
 * @param settings the shop's, if the page has read them already
 * @returns null: Shopify is not reachable now
 */
export async function readTextGaps(
  shop: string,
  environment: Environment,
  settings?: StorefrontSettings,
): Promise<TextGap[] | null> {
  const [published, saved, categories] = await Promise.all([
    readPublishedLanguages(shop),
    settings ?? readStorefrontSettings(shop),
    listCategoryTexts(shop, environment),
  ]);
  return published && findTextGaps(saved, published, categories);
}
