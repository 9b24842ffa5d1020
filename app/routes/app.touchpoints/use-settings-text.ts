import { useTranslation } from "react-i18next";
import { storefrontTouchpoints } from "#app/offers/storefront-settings.ts";
import type { StorefrontSettings } from "#app/offers/storefront-settings.ts";

/** The settings by the names of their fields, for what was changed in two windows. */
export function useSettingsText() {
  const { t } = useTranslation(["touchpoints", "common"]);
  return ({ touchpoints, texts, terms, proxy }: StorefrontSettings): [name: string, value: string][] => [
    ...storefrontTouchpoints.map((name): [string, string] => [
      t(`name.${name}`),
      t(touchpoints[name].on ? "common:elsewhere.on" : "common:elsewhere.off"),
    ]),
    [t("format.label"), t(`format.${touchpoints.product_page.format}`)],
    ...Object.entries(texts).flatMap(([language, fields]) =>
      textFields.map((field): [string, string] => [
        `${t(`texts.field.${field}`)} (${language})`,
        fields[field] ?? "",
      ]),
    ),
    [t("terms.title"), terms.map((count) => t("preview.months", { count })).join(", ")],
    [t("proxy.title"), proxy],
  ];
}

const textFields = [
  "headline",
  "link",
  "buy",
  "decline",
  "modal_headline",
  "modal_link",
  "cart_heading",
  "cart_button",
  "consent",
  "legal",
] as const;
