/** The texts of "Why is there no offer here?": each outcome of a step, with the plural forms of its counts. */
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { messagesFor } from "#app/locales/index.server.ts";
import { type InspectorInput, type InspectorStep, inspectOffer } from "#app/offers/inspector/inspector.ts";
import type { Locale } from "#app/platform/locale.ts";
import { I18nProvider } from "#app/ui/i18n.tsx";
import { ShopProvider } from "#app/ui/shop.tsx";
import { useInspectorStepText } from "#app/ui/use-catalogue-texts.ts";
import { allIsWell, category, product } from "#test/offers/inspector/all-is-well.ts";

const sold = { referenceId: "A-12", problem: null, onSale: true };
const missing = { referenceId: "A-24", problem: null, onSale: false };
const wrong = { referenceId: "A-36", problem: "overlap", onSale: false };
const suisse = { name: "Suisse", offers: "none" } as const;
const unpaid = { shop: "EUR", offers: "EUR", shopper: null };

const changes: Partial<InspectorInput>[] = [
  {},
  ...(["disconnected", "refused", "paused"] as const).map((stop) => ({ stop })),
  { product: null, category: null, insurer: null, references: [] },
  ...[
    { isInsurance: true },
    { isGiftCard: true },
    { visible: false },
    { soldOut: true },
    { writtenKey: null },
    { priceMinor: 4_999 },
    { priceMinor: 70_000 },
    { priceMinor: 100_000 },
  ].map((changed) => ({ product: { ...product, ...changed } })),
  { decision: { categoryId: "Phone", decidedBy: "override", rule: null } },
  { decision: { categoryId: null, decidedBy: "rule", rule: 2 } },
  { decision: { categoryId: null, decidedBy: "override", rule: null } },
  { decision: { categoryId: null, decidedBy: "bundle", rule: null } },
  { decision: { categoryId: null, decidedBy: "nothing", rule: null } },
  ...[{ live: true }, { hasDocuments: false }, { published: false }].map((changed) => ({
    category: { ...category, ...changed },
  })),
  { bands: [] },
  ...[[wrong], [sold, wrong], [missing], [sold, missing], [sold], [sold, missing, missing]].map(
    (references) => ({ references }),
  ),
  { currency: unpaid },
  { currency: { ...unpaid, shop: "CHF" } },
  { currency: { ...unpaid, shopper: "GBP" } },
  { currency: unpaid, markets: [suisse] },
  { currency: unpaid, markets: [suisse, { name: "France", offers: "shown" }] },
  { touchpoint: { name: "cart", on: false } },
  { insurer: { state: "responded", offers: 1 } },
  { insurer: { state: "responded", offers: 0 } },
  { insurer: { state: "refused", reason: "no token" } },
  { insurer: { state: "unreachable", reason: "no answer in time" } },
];
const steps = changes.flatMap((changed) => inspectOffer({ ...allIsWell, ...changed }));

/** The page's texts of the steps. */
function said(locale: Locale, given: readonly InspectorStep[] = steps): string[] {
  const info = { shop: "demo.myshopify.com", locale, currency: "EUR", timezone: "Europe/Paris" };
  const texts: string[] = [];
  function Steps() {
    texts.push(...given.map(useInspectorStepText()));
    return null;
  }
  const children = createElement(ShopProvider, { info, children: createElement(Steps) });
  renderToString(createElement(I18nProvider, { locale, messages: messagesFor(locale), children }));
  return texts;
}

test("there is a text for each outcome, and an outcome for each text", () => {
  const outcomes = new Set(steps.map(({ step, outcome }) => `${step}.${outcome}`));
  const texts = Object.entries(messagesFor("en").products.inspector.outcome).flatMap(([step, words]) =>
    Object.keys(words).map((outcome) => `${step}.${outcome.replace(/_(?:one|other)$/, "")}`),
  );
  expect([...new Set(texts)].sort()).toEqual([...outcomes].sort());
});

test.each(["en", "fr"] as const)("each outcome is said in a sentence: %s", (locale) => {
  const texts = said(locale);
  expect(texts.length).toBe(steps.length);
  expect(texts.filter((text) => !/^[\p{Lu}\d“«€].*\.$/u.test(text) || /\{\{|undefined/.test(text))).toEqual(
    [],
  );
});

test("counts are said in the number that they have", () => {
  const of = (outcome: string) => steps.filter((step) => step.outcome === outcome);
  const each = (locale: Locale, outcome: string) => [...new Set(said(locale, of(outcome)))].sort();
  expect(each("en", "known")).toEqual(["1 offer matches.", "2 offers match.", "3 offers match."]);
  expect(each("en", "offers")).toEqual([
    "Checked just now: the insurer has 1 offer.",
    "Checked just now: the insurer has 3 offers.",
  ]);
  expect(each("en", "some_missing")).toEqual([
    "1 variant is not on sale in the shop: A-24. Sync the catalogue.",
    "2 variants are not on sale in the shop, such as A-24. Sync the catalogue.",
  ]);
  expect(each("fr", "offers")).toEqual([
    "Vérifié à l’instant\u00A0: l’assureur a 1 offre.",
    "Vérifié à l’instant\u00A0: l’assureur a 3 offres.",
  ]);
});
