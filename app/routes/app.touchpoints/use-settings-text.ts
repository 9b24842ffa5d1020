import { useTranslation } from "react-i18next";
import { storefrontTouchpoints } from "#app/offers/storefront-choices.ts";
import type { StorefrontSettings } from "#app/offers/storefront-settings.ts";
import { languageName, textFields } from "./text-fields.ts";

/** The settings by the names of their fields, for what was changed in two windows. */
export function useSettingsText() {
  const { t } = useTranslation(["touchpoints", "common"]);
  return ({
    touchpoints,
    language: service,
    insurer,
    texts,
    covers,
    terms,
    companies,
    proxy,
  }: StorefrontSettings): [name: string, value: string][] => [
    ...[...storefrontTouchpoints, "checkout" as const].map((name): [string, string] => [
      t(`name.${name}`),
      t(touchpoints[name].on ? "common:elsewhere.on" : "common:elsewhere.off"),
    ]),
    [t("format.label"), t(`format.${touchpoints.product_page.format}`)],
    [t("texts.service"), languageName(service)],
    ...Object.entries(texts).flatMap(([language, own]) =>
      textFields.map(([field]): [string, string] => [
        `${t(`texts.field.${field}`)} (${language})`,
        own[field] ?? "",
      ]),
    ),
    [t("covers.insurer"), insurer],
    ...Object.entries(covers).flatMap(([language, categories]) =>
      Object.values(categories).flatMap(({ bullets, exclusions }): [string, string][] => [
        [`${t("texts.field.bullets")} (${language})`, bullets.join("\n")],
        [`${t("covers.exclusions")} (${language})`, exclusions.join("\n")],
      ]),
    ),
    [t("terms.title"), terms.map((count) => t("preview.months", { count })).join(", ")],
    [t("companies.offer"), t(companies ? "common:elsewhere.on" : "common:elsewhere.off")],
    [t("proxy.title"), proxy],
  ];
}
