/**
 * The texts of customers' pages and mails, one file a language. A missing text is a type error;
 * test/ui/languages.test.ts compares the keys and placeholders of all files.
 */
import { createInstance, type TFunction } from "i18next";
import type { Language } from "#app/platform/locale.ts";
import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };
import es from "./es.json" with { type: "json" };
import fr from "./fr.json" with { type: "json" };
import it from "./it.json" with { type: "json" };
import nl from "./nl.json" with { type: "json" };
import pt from "./pt.json" with { type: "json" };

export type CustomerTexts = typeof en;
type Section = keyof CustomerTexts;

const byLanguage: Record<Language, CustomerTexts> = { en, fr, de, es, it, nl, pt };

const i18n = createInstance();
void i18n.init({
  lng: "en",
  fallbackLng: false,
  ns: ["customers"],
  defaultNS: "customers",
  resources: Object.fromEntries(
    Object.entries(byLanguage).map(([language, customers]) => [language, { customers }]),
  ),
  // Pages and mails escape the values that they show.
  interpolation: { escapeValue: false },
  initAsync: false,
});

/** The texts of one page or mail: `textsOf("fr", "withdrawal")("title")`. */
export const textsOf = <Name extends Section>(
  language: Language,
  section: Name,
): TFunction<"customers", Name> => i18n.getFixedT(language, "customers", section);

/** The usual risks in Parasol's own words. A merchant may use them if the insurer's texts are in another language. */
export const riskNames: Record<Language, CustomerTexts["risk"]> = {
  en: en.risk,
  fr: fr.risk,
  de: de.risk,
  es: es.risk,
  it: it.risk,
  nl: nl.risk,
  pt: pt.risk,
};
