import { expect, test } from "vitest";
import { riskNames } from "#app/locales/customers/index.server.ts";
import { defaultStorefrontSettings } from "#app/offers/storefront-settings.ts";
import { namesOtherDays } from "#app/offers/text-gaps.ts";
import { acceptUsualRisks, languagesWithoutCover, risksIn } from "#app/offers/usual-risks.ts";
import { languages } from "#app/platform/locale.ts";

const bullets = ["Casse accidentelle, écran compris", "Vol par effraction ou agression"];
const category = { key: "smartphone", bullets };

test("the insurer's points name the usual risks, in each of the seven languages; points without one name all", () => {
  expect(risksIn(bullets)).toEqual(["breakage", "theft"]);
  for (const language of languages)
    for (const [risk, name] of Object.entries(riskNames[language])) expect(risksIn([name])).toEqual([risk]);
  expect(risksIn(["Tout"])).toHaveLength(4);
});

test("one acceptance fills each language that lacks points, and leaves the insurer's and the merchant's", () => {
  const own = { bullets: ["Screen"], exclusions: ["Loss"] };
  const settings = { ...defaultStorefrontSettings, covers: { en: { smartphone: own } } };
  expect(languagesWithoutCover(settings, category)).toEqual(["de", "es", "it", "nl", "pt"]);
  const { covers } = acceptUsualRisks(settings, category, riskNames);
  expect(covers["de"]?.["smartphone"]?.bullets).toEqual(["Unfallschäden und Bruch", "Diebstahl"]);
  expect(covers["en"]?.["smartphone"]).toEqual(own);
  expect(covers["fr"]).toBeUndefined();
  expect(languagesWithoutCover({ ...settings, covers }, category)).toEqual([]);
});

test("a legal text that names other days for withdrawing is told from one that names the same, or none", () => {
  expect(namesOtherDays(["Vous disposez de 14 jours pour renoncer."], 30)).toBe(true);
  expect(namesOtherDays(["Vous disposez de 30 jours pour renoncer.", "Déclarez sous 5 jours."], 30)).toBe(
    false,
  );
});
