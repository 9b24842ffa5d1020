import { useTranslation } from "react-i18next";
import type { PreviewSample } from "#app/offers/preview.server.ts";
import type { StorefrontSettings } from "#app/offers/storefront-settings.ts";
import { orderedTerms } from "#app/offers/term-order.ts";
import { useShop } from "#app/ui/shop.tsx";
import type { DefaultTexts } from "./default-texts.ts";

const samplePrices = [
  [12, 1_990],
  [24, 3_490],
  [36, 4_990],
] as const;

/** The texts of the preview, chosen as the theme extension chooses them: the merchant's, the category's, Parasol's. */
export function usePreviewWords(
  sample: PreviewSample | null,
  draft: StorefrontSettings,
  language: string,
  defaults: DefaultTexts,
) {
  const { t } = useTranslation("touchpoints");
  const { format, currency } = useShop();
  const own = draft.texts[language] ?? {};
  const modal = sample?.category.marketing_data.modal;
  const given =
    sample && sample.offers.length > 0
      ? sample.offers
      : samplePrices.map(([termMonths, shopPriceMinor]) => ({ termMonths, shopPriceMinor }));
  const order = orderedTerms(
    given.map(({ termMonths }) => termMonths),
    draft.terms,
  );
  const offers = [...given].sort((a, b) => order.indexOf(a.termMonths) - order.indexOf(b.termMonths));
  const cheapest = Math.min(...offers.map(({ shopPriceMinor }) => shopPriceMinor));
  const word = (field: keyof DefaultTexts) => own[field] || defaults[field];
  return {
    headline: word("headline") || t("preview.sampleHeadline"),
    more: word("link"),
    decline: word("decline"),
    buy: word("buy"),
    modalHeadline: word("modal_headline") || word("headline") || t("preview.sampleHeadline"),
    bulletsHeading: modal?.coverage_bullets_heading ?? "",
    bullets: modal?.bullet_points ?? [],
    legal: word("legal"),
    consent: word("consent"),
    cartHeading: word("cart_heading"),
    cartButton: word("cart_button"),
    from: t("preview.from", { price: format.money(cheapest, currency) }),
    offers: offers.map(({ termMonths, shopPriceMinor }) => ({
      term: t("preview.months", { count: termMonths }),
      price: format.money(shopPriceMinor, currency),
    })),
  };
}
export type PreviewWords = ReturnType<typeof usePreviewWords>;
