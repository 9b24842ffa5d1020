/** The shop's languages without texts, and the withdrawal days in a legal text. */
import { expect, test } from "vitest";
import { storefrontSettings } from "#app/offers/storefront-settings.ts";
import { findTextGaps, missingTexts, withdrawalDaysIn } from "#app/offers/text-gaps.ts";

const phones = { key: "phones", name: "Phones", bullets: ["Casse"], legal: "" };
const bikes = { key: "bikes", name: "Bikes", bullets: [], legal: "" };
const covered = { bullets: ["Screen"], exclusions: [] };

test("a language lacks what neither the insurer says in it nor the merchant wrote, for every category", () => {
  const settings = storefrontSettings.parse({
    texts: { en: { headline: "Cover it" } },
    covers: { en: { phones: covered }, de: { phones: { bullets: [], exclusions: ["Kratzer"] } } },
  });
  expect(missingTexts(settings, "fr", [phones])).toEqual([]);
  expect(missingTexts(settings, "fr", [phones, bikes])).toEqual(["bullets"]);
  expect(missingTexts(settings, "en", [phones])).toEqual(["legal"]);
  expect(missingTexts(settings, "en", [phones, bikes])).toEqual(["bullets", "legal"]);
  expect(missingTexts(settings, "de", [phones])).toEqual(["headline", "bullets", "legal"]);
});

test("a published language is a gap while shoppers read no cover in it", () => {
  const settings = storefrontSettings.parse({ covers: { en: { phones: covered } } });
  expect(findTextGaps(settings, ["fr", "en", "pt-BR", "pt-PT"], [phones])).toEqual([
    { language: "pt", missing: ["headline", "bullets", "legal"] },
  ]);
  expect(findTextGaps(settings, ["de"], [])).toEqual([]);
});

test.each([
  ["Droit de renonciation de 30 jours. Déclaration du sinistre sous 5 jours.", [30]],
  ["Vous pouvez renoncer dans un délai de quatorze (14) jours calendaires", [14]],
  ["You may withdraw within 14 days of purchase; claims within 5 days.", [14]],
  ["Widerrufsrecht: 14 Tage. Schäden melden Sie binnen 7 Tagen.", [14]],
  ["Puede desistir en 14 días", [14]],
  ["Diritto di recesso entro 14 giorni", [14]],
  ["U kunt binnen 14 dagen herroepen", [14]],
  ["Pode exercer a livre resolução no prazo de 14 dias", [14]],
  ["Contrat souscrit auprès de l’assureur", []],
])("the days to withdraw are read from: %s", (text, days) => {
  expect(withdrawalDaysIn(text)).toEqual(days);
});
