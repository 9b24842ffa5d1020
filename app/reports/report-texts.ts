/** The texts of the mails to merchants, `reports.json` of app/locales. */
import { createInstance, type TFunction } from "i18next";
import en from "#app/locales/en/reports.json" with { type: "json" };
import fr from "#app/locales/fr/reports.json" with { type: "json" };
import type { Locale } from "#app/platform/locale.ts";

type ReportTexts = typeof en;
const byLocale: Record<Locale, ReportTexts> = { en, fr };

const i18n = createInstance();
void i18n.init({
  lng: "en",
  fallbackLng: false,
  ns: ["reports"],
  defaultNS: "reports",
  resources: Object.fromEntries(Object.entries(byLocale).map(([locale, reports]) => [locale, { reports }])),
  // The mail escapes its values.
  interpolation: { escapeValue: false },
  initAsync: false,
});

export const reportTexts = (locale: Locale): TFunction<"reports"> => i18n.getFixedT(locale, "reports");
