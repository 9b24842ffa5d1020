import { useTranslation } from "react-i18next";
import { z } from "zod";
import type { ExtensionTexts, extensionTexts } from "#app/offers/extension-texts.server.ts";
import type { PreviewSample } from "#app/offers/preview/sample.ts";
import { storefrontTouchpoints } from "#app/offers/storefront-choices.ts";
import type { StorefrontSettings, StorefrontTexts } from "#app/offers/storefront-settings.ts";
import type { FormulaTexts } from "#app/offers/text-gaps.ts";
import { languageNames, languages, type Locale } from "#app/platform/locale.ts";

/** The pages of Display in your shop, in the order of a purchase. */
export const places = ["product_page", "cart", "texts", "checkout", "after_purchase", "staff"] as const;
export type Place = (typeof places)[number];

/** The URL names the page. The form stays mounted, so unsaved changes survive a change of page. */
export const placeIn = (search: URLSearchParams): Place =>
  z.enum(places).catch("product_page").parse(search.get("place"));

export const addressOf = (place: Place): string =>
  place === "product_page" ? "/app/touchpoints" : `/app/touchpoints?place=${place}`;

/** The settings as they are being changed, which every part of the form receives. */
export interface DraftProps {
  draft: StorefrontSettings;
  onChange: (next: StorefrontSettings) => void;
}

/** The merchant's own texts in the order of the form, with the most characters of each. */
export const textFields = [
  ["headline", 500],
  ["link", 500],
  ["buy", 500],
  ["decline", 500],
  ["modal_headline", 500],
  ["bullets_heading", 500],
  ["modal_link", 500],
  ["cart_heading", 500],
  ["cart_button", 500],
  ["consent", 2_000],
  ["legal", 2_000],
] as const satisfies [keyof StorefrontTexts, number][];

/** A language's own name, also of a shop language that Parasol does not support. */
export const languageName = (code: string): string => {
  const language = languages.find((each) => each === code);
  if (language !== undefined) return languageNames[language];
  return new Intl.DisplayNames(code, { type: "language" }).of(code) ?? code;
};

/** A language within a sentence in another one: "anglais" in French. */
export const languageInSentence = (code: string, locale: Locale): string =>
  new Intl.DisplayNames(locale, { type: "language" }).of(code) ?? code;

/** The languages of the merchant's texts: Parasol's, and any other that has texts or is requested. */
export const writableLanguages = ({ texts, covers }: StorefrontSettings, asked: string): string[] => [
  ...new Set([...languages, ...Object.keys(texts), ...Object.keys(covers), asked]),
];

export type ExtensionTextsByLanguage = typeof extensionTexts;
export type DefaultTexts = Record<keyof StorefrontTexts, string>;

/**
 * The default text for shoppers: the category's, else Parasol's, else "".
 * @param spoken whether the insurer's texts are in the shoppers' language; if not, only the legal text is shown
 */
export function defaultTexts(
  sample: PreviewSample | null,
  extension: ExtensionTexts,
  spoken: boolean,
): DefaultTexts {
  const service = sample?.category.marketing;
  const { buttons, modal, cart } = (spoken ? service : undefined) ?? {};
  return {
    headline: buttons?.headline || extension.headline,
    link: buttons?.linkText || extension.link,
    buy: modal?.buyText || extension.buy,
    decline: modal?.declineText || extension.decline,
    modal_headline: modal?.headline ?? "",
    modal_link: modal?.linkText ?? "",
    bullets_heading: modal?.bulletsHeading ?? "",
    legal: service?.modal.legalText ?? "",
    consent: extension.consent,
    cart_heading: extension.cart_heading,
    cart_button: cart?.buttonText || extension.cart_button,
  };
}

/** The part of the settings that is invalid. It may be on another page of the form. */
export const invalidPart = ({ issues }: z.ZodError): "texts" | "covers" =>
  z.enum(["texts", "covers"]).catch("texts").parse(issues[0]?.path[0]);

/** A category, then its formulas; the category itself may be one of several formulas. */
export function describedParts({ key, name, bullets, formulas }: FormulaTexts) {
  const itself = { key, label: name, bullets, formula: formulas.find((each) => each.key === key)?.name };
  const others = formulas.filter((each) => each.key !== key);
  return [
    itself,
    ...others.map((each) => ({
      key: each.key,
      label: `${name} · ${each.name}`,
      bullets,
      formula: each.name,
    })),
  ];
}

/** The settings by the names of their fields, for a conflict between two windows. */
export function useSettingsText(categories: readonly FormulaTexts[]) {
  const { t } = useTranslation(["touchpoints", "common"]);
  const labelOf = (key: string) =>
    categories.flatMap(describedParts).find((each) => each.key === key)?.label ?? key;
  return ({
    touchpoints,
    language: service,
    insurer,
    insurer_address: insurerAddress,
    complaints,
    texts,
    covers,
    terms,
  }: StorefrontSettings): [name: string, value: string][] => [
    ...[...storefrontTouchpoints, "checkout" as const].map((name): [string, string] => [
      t(`name.${name}`),
      t(touchpoints[name].on ? "common:elsewhere.on" : "common:elsewhere.off"),
    ]),
    [t("format.label"), t(`format.${touchpoints.product_page.format}`)],
    [t("asks.label"), t(touchpoints.product_page.asks ? "common:elsewhere.on" : "common:elsewhere.off")],
    [t("texts.insurer"), languageName(service)],
    ...Object.entries(texts).flatMap(([language, own]) =>
      textFields.map(([field]): [string, string] => [
        `${t(`texts.field.${field}`)} (${language})`,
        own[field] ?? "",
      ]),
    ),
    [t("covers.insurer"), insurer],
    [t("covers.insurerAddress"), insurerAddress],
    [t("covers.complaints"), complaints],
    ...Object.entries(covers).flatMap(([language, ofLanguage]) =>
      Object.entries(ofLanguage).flatMap(
        ([key, { name, bullets, exclusions, excess, limit }]): [string, string][] => {
          const of = `(${language}, ${labelOf(key)})`;
          return [
            [`${t("covers.name")} ${of}`, name ?? ""],
            [`${t("texts.field.bullets")} ${of}`, bullets.join("\n")],
            [`${t("covers.exclusions")} ${of}`, exclusions.join("\n")],
            [`${t("covers.excess")} ${of}`, excess ?? ""],
            [`${t("covers.limit")} ${of}`, limit ?? ""],
          ];
        },
      ),
    ),
    [t("terms.title"), terms.map((count) => t("preview.months", { count })).join(", ")],
  ];
}
