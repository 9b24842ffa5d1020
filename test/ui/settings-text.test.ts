import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import {
  defaultStorefrontSettings,
  storefrontLanguage,
  storefrontSettings,
} from "#app/offers/storefront-settings.ts";
import type { StorefrontSettings } from "#app/offers/storefront-settings.ts";
import {
  invalidPart,
  languageName,
  textFields,
  useSettingsText,
  writableLanguages,
} from "#app/routes/app.touchpoints/touchpoint-settings.ts";
import { I18nProvider } from "#app/ui/i18n.tsx";
import { messagesFor } from "#app/locales/index.server.ts";

const phones = { key: "phones", name: "Phones", bullets: [], formulas: [], legal: "" };

/** The page's text of settings that two windows changed. */
function describe(settings: StorefrontSettings): string {
  const Described = () => createElement("p", null, JSON.stringify(useSettingsText([phones])(settings)));
  const children = createElement(Described);
  return renderToString(createElement(I18nProvider, { locale: "en", messages: messagesFor("en"), children }));
}

test.each(textFields.map(([field]) => field))(
  "a text of the touchpoints that was changed elsewhere is named: %s",
  (field) => {
    const changed = (text: string) => storefrontSettings.parse({ texts: { fr: { [field]: text } } });
    expect(describe(changed("theirs"))).not.toBe(describe(changed("mine")));
  },
);

test.each([
  ["the insurer's language", { language: "en" }],
  ["the insurer", { insurer: "Voltigeur" }],
  ["the insurer's address", { insurer_address: "Paris" }],
  ["the contact for complaints", { complaints: "Paris" }],
  ["what is covered", { covers: { fr: { phones: { bullets: ["Casse"] } } } }],
  ["what is not covered", { covers: { fr: { phones: { exclusions: ["Usure"] } } } }],
  ["what a formula is called", { covers: { fr: { phones: { name: "Casse" } } } }],
  ["the order of terms", { terms: [24, 12] }],
  ["the format", { touchpoints: { product_page: { format: "tabs" } } }],
  ["a switch", { touchpoints: { mini_cart: { on: false } } }],
  ["the checkout's switch", { touchpoints: { checkout: { on: true } } }],
])("of the touchpoints' settings %s is named, too", (_name, changed) => {
  expect(describe(storefrontSettings.parse(changed))).not.toBe(describe(defaultStorefrontSettings));
});

test("what is covered is named by category: changes of two windows are distinguished by category", () => {
  const covers = { fr: { phones: { bullets: ["Casse"] }, tablets: { bullets: ["Vol"] } } };
  const described = describe(storefrontSettings.parse({ covers }));
  expect(described).toMatch(/\(fr, Phones\)&quot;,&quot;Casse.*\(fr, tablets\)&quot;,&quot;Vol/);
});

test.each([
  ["covers", { covers: { fr: { phones: { bullets: ["x".repeat(201)] } } } }],
  ["texts", { texts: { fr: { headline: "x".repeat(501) } } }],
  ["texts", { insurer: "x".repeat(101) }],
])("what cannot be saved is found in its part of the form: %s", (part, settings) => {
  const { error } = storefrontSettings.safeParse(settings);
  expect(error && invalidPart(error)).toBe(part);
});

test("a language of the shop has its own name, and what could not be named is none", () => {
  const names = ["fr", "pl", "pt-BR", "zh-Hant"].map((code) => languageName(storefrontLanguage.parse(code)));
  expect(names).toEqual(["Français", "polski", "português (Brasil)", "繁體中文"]);
  expect(storefrontLanguage.safeParse("fr-abc").success).toBe(false);
});

test("texts can be written in a language of the shop that Parasol does not speak", () => {
  const settings = storefrontSettings.parse({ texts: { "pt-BR": { headline: "Seguro" } } });
  expect(writableLanguages(settings, "pl")).toEqual([
    "en",
    "fr",
    "de",
    "es",
    "it",
    "nl",
    "pt",
    "pt-BR",
    "pl",
  ]);
});
