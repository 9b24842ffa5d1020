/**
 * The data that the shop stores for the checkout's offer (extensions/checkout-offer). It is small, and in the theme's
 * format.
 */
import type { Category } from "#app/insurance/categories.ts";
import {
  categoryKey,
  compactContent,
  type CompactContent,
  MAX_BYTES,
} from "#app/catalogue/sync/compact-catalogue.ts";
import type { CheckoutCatalogue, CheckoutSettings } from "../../../extensions/checkout-offer/src/data.ts";
import type { SaleRule } from "../../../extensions/sale-rule.ts";
import { documentsOf } from "#app/offers/offers-response.ts";
import { withConsentVersions } from "#app/offers/consent-version.server.ts";
import { coverPoints, type StorefrontSettings, formulaName } from "#app/offers/storefront-settings.ts";

/** The theme's line of coverage shows the same number. */
const MAX_COVER_POINTS = 3;

/**
 * A category's offers and the documents of each formula. Null: it exceeds a metafield, so the app proxy serves it.
 * @param others the categories that are formulas beside it
 * @param formulas the key of each formula's coverage text, by formula name
 */
export function checkoutCatalogue(
  category: Category,
  { bands, formulas }: { bands: CompactContent["bands"]; formulas: ReadonlyMap<string, string> },
  settings: StorefrontSettings,
  { currency, others }: { currency: string; others: readonly Category[] },
): CheckoutCatalogue | null {
  const { texts } = compactContent(category, [], { currency, live: false });
  const { headline, legal, cart_button } = texts;
  const documents = documentsOf(category, others);
  const languages = Object.keys(settings.covers);
  // Several formulas differ in their coverage.
  const isOneFormula = formulas.size <= 1 && documents.length === 1;
  const cover = (isOneFormula ? [...languages, settings.language] : []).map((language) => {
    const points = coverPoints(settings, language, {
      keys: [categoryKey(category.id)],
      bullets: category.marketing.modal.bulletPoints,
    });
    return [language, points.slice(0, MAX_COVER_POINTS)] as const;
  });
  const names = languages.flatMap((language) => {
    const shown = [...formulas].map(
      ([name, key]) => [name, formulaName(settings, language, { key, name })] as const,
    );
    const own = shown.filter(([name, each]) => name !== each);
    return own.length > 0 ? [[language, Object.fromEntries(own)] as const] : [];
  });
  const content: CheckoutCatalogue = {
    currency,
    bands,
    names: Object.fromEntries(names),
    documents,
    texts: { headline, legal, cart_button },
    cover: Object.fromEntries(cover),
  };
  return Buffer.byteLength(JSON.stringify(content)) <= MAX_BYTES ? content : null;
}

/**
 * @param isOn the merchant offers insurance in the checkout, and the shop sells it now
 * @param plans the gid of the plan product, by category key
 */
export function checkoutSettings(
  settings: StorefrontSettings,
  {
    isOn,
    quotes,
    insure,
    cover,
    plans,
    rule,
    withdrawal,
  }: Pick<CheckoutSettings, "quotes" | "insure" | "cover" | "plans" | "withdrawal"> & {
    isOn: boolean;
    rule: Pick<SaleRule, "countries" | "companies" | "registrationNumber">;
  },
): CheckoutSettings {
  const { texts, terms, language } = withConsentVersions(settings);
  const own = Object.entries(texts).map(([name, given]) => {
    const { headline, legal, cart_button, consent, consent_version } = given;
    return [name, { headline, legal, cart_button, consent, consent_version }] as const;
  });
  return {
    on: isOn,
    quotes,
    insure,
    cover,
    terms,
    language,
    insurer: settings.insurer,
    insurer_address: settings.insurer_address,
    complaints: settings.complaints,
    countries: [...rule.countries],
    companies: rule.companies,
    registration_number: rule.registrationNumber,
    withdrawal,
    texts: Object.fromEntries(own),
    plans,
  };
}
