import { useTranslation } from "react-i18next";
import type { PreviewSample } from "#app/offers/preview.server.ts";
import type { StorefrontSettings } from "#app/offers/storefront-settings.ts";
import { orderedTerms } from "#app/offers/term-order.ts";
import { useShop } from "#app/ui/shop.tsx";

const samplePrices = [
  [12, 1_990],
  [24, 3_490],
  [36, 4_990],
] as const;

/** The texts of the preview, chosen as the theme extension chooses them: the merchant's, the category's, Parasol's. */
export function usePreviewWords(sample: PreviewSample | null, draft: StorefrontSettings, language: string) {
  const { t } = useTranslation("touchpoints");
  const { format, currency } = useShop();
  const own = draft.texts[language] ?? {};
  const { buttons, modal, cart } = sample?.category.marketing_data ?? {};
  const given =
    sample && sample.offers.length > 0
      ? sample.offers
      : samplePrices.map(([termMonths, shopPriceCents]) => ({ termMonths, shopPriceCents }));
  const order = orderedTerms(
    given.map(({ termMonths }) => termMonths),
    draft.terms,
  );
  const offers = [...given].sort((a, b) => order.indexOf(a.termMonths) - order.indexOf(b.termMonths));
  const cheapest = Math.min(...offers.map(({ shopPriceCents }) => shopPriceCents));
  const headline = own.headline || buttons?.headline || t("preview.sampleHeadline");
  return {
    headline,
    more: own.link || buttons?.link_text || t("preview.more"),
    decline: own.decline || modal?.decline_text || t("preview.none_choice"),
    buy: own.buy || modal?.buy_text || t("preview.buy"),
    modalHeadline: own.modal_headline || modal?.headline || headline,
    bulletsHeading: modal?.coverage_bullets_heading ?? "",
    bullets: modal?.bullet_points ?? [],
    legal: own.legal || modal?.legal_text || "",
    consent: own.consent || t("preview.consent"),
    cartHeading: own.cart_heading || t("preview.cartHeading"),
    cartButton: own.cart_button || cart?.simple_offer_button_text || t("preview.cartButton"),
    from: t("preview.from", { price: format.money(cheapest, currency) }),
    offers: offers.map(({ termMonths, shopPriceCents }) => ({
      term: t("preview.months", { count: termMonths }),
      price: format.money(shopPriceCents, currency),
    })),
  };
}
export type PreviewWords = ReturnType<typeof usePreviewWords>;
