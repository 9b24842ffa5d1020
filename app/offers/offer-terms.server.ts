/** Keeps the terms by which items are sold: texts, price, and the legal documents as they were. */
import { z } from "zod";
import { isLink } from "#app/platform/web-address.ts";
import { categoryKey, coverKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { category } from "#app/insurance/categories.ts";
import type { Transaction } from "#app/platform/db.server.ts";
import { readLanguage } from "#app/platform/locale.ts";
import { canonicalJson } from "#app/documents/canonical-json.ts";
import { latestDigests, sha256Of } from "#app/documents/legal-documents.server.ts";
import { type OfferTerms, offerTerms } from "./offer-terms.ts";
import { coverPoints, defaultStorefrontSettings, storefrontSettings } from "./storefront-settings.ts";

export interface SoldTerms {
  /** addresses of the legal documents; null: there was none */
  conditionsUrl: string | null;
  ipidUrl: string | null;
  /** of the kept terms */
  termsSha256: string | null;
}

const offered = z.array(
  z.object({
    ...offerTerms.pick({ referenceId: true, formula: true, termMonths: true, billing: true }).shape,
    ...offerTerms.pick({ priceMinor: true, currency: true }).shape,
    categoryId: z.string(),
    marketing: category.shape.marketing,
    legal: category.shape.legal,
    settings: storefrontSettings.nullable(),
    /** the order's language, or the shop's */
    language: z.string(),
  }),
);

/** By reference, in the transaction that notes what was sold by them. @param language of the customer's order; null: not known, the shop's counts */
export async function keepTerms(
  tx: Transaction,
  { shop, environment, language }: { shop: string; environment: string; language: string | null },
  referenceIds: readonly string[],
): Promise<Map<string, SoldTerms>> {
  if (referenceIds.length === 0) return new Map();
  const rows = await tx.$queryRaw`
    SELECT r."referenceId", r.formula, r."termMonths", r.billing, r."priceMinor", r.currency, c."categoryId",
      c.marketing, c.legal, (SELECT s.settings FROM "StorefrontSettings" AS s WHERE s.shop = r.shop) AS settings,
      COALESCE(${language}, (SELECT m.locale FROM "Merchant" AS m WHERE m.shop = r.shop)) AS language
    FROM "Reference" AS r JOIN "Category" AS c
      ON c.shop = r.shop AND c.environment = r.environment AND c."categoryId" = r."categoryId"
    WHERE r.shop = ${shop} AND r.environment = ${environment} AND r."referenceId" = ANY(${[...referenceIds]})`;
  const found = offered.parse(rows);
  const digests = await latestDigests(
    tx,
    shop,
    found.flatMap(({ legal }) => [legal.conditionsUrl, legal.ipidUrl]),
  );
  const document = (address: string) =>
    isLink(address) ? { address, sha256: digests.get(address) ?? null } : null;
  const kept = found.map(({ marketing: { modal }, legal, settings, categoryId, ...offer }) => {
    const inLanguage = readLanguage(offer.language) ?? "en";
    const terms: OfferTerms = {
      ...offer,
      category: categoryId,
      language: inLanguage,
      headline: modal.headline,
      covers: [
        ...coverPoints(settings ?? defaultStorefrontSettings, inLanguage, {
          keys: [coverKey(categoryId, offer.formula), categoryKey(categoryId)],
          bullets: modal.bulletPoints,
        }),
      ],
      legalText: modal.legalText,
      conditions: document(legal.conditionsUrl),
      ipid: document(legal.ipidUrl),
    };
    return { terms, legal, sha256: sha256Of(canonicalJson(terms)) };
  });
  await tx.offerTerms.createMany({
    data: kept.map(({ sha256, terms }) => ({ shop, sha256, terms })),
    skipDuplicates: true,
  });
  return new Map(
    kept.map(({ terms: { referenceId }, legal, sha256 }) => [
      referenceId,
      { conditionsUrl: legal.conditionsUrl, ipidUrl: legal.ipidUrl, termsSha256: sha256 },
    ]),
  );
}

/** Those of them that are kept, by digest. */
export async function readTerms(
  tx: Transaction,
  shop: string,
  digests: readonly string[],
): Promise<Map<string, OfferTerms>> {
  const rows = await tx.offerTerms.findMany({ where: { shop, sha256: { in: [...digests] } } });
  return new Map(rows.map(({ sha256, terms }) => [sha256, offerTerms.parse(terms)]));
}
