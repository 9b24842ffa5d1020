import { useTranslation } from "react-i18next";
import type { Suggestion } from "#app/analytics/sold-insurance.ts";
import { useShop } from "./shop.tsx";

/** What a rule suggests, with the numbers it rests on. */
export function useSuggestionText(): (suggestion: Suggestion) => string {
  const { t } = useTranslation("analytics");
  const { format, currency } = useShop();
  return (suggestion) => {
    switch (suggestion.kind) {
      case "few_seen":
        return t("attachment.suggestion.few_seen", {
          seen: format.number(suggestion.seen),
          eligible: format.number(suggestion.eligible),
        });
      case "weak_category":
      case "weak_band": {
        const { paid, eligible, rate } = suggestion;
        const values = {
          paid: format.number(paid),
          eligible: format.number(eligible),
          share: format.percent(paid / eligible),
          rate: format.percent(rate),
        };
        if (suggestion.kind === "weak_category")
          return t("attachment.suggestion.weak_category", { ...values, category: suggestion.category });
        const from = format.money(suggestion.fromMinor, currency);
        if (suggestion.toMinor === null) return t("attachment.suggestion.weak_top_band", { ...values, from });
        const to = format.money(suggestion.toMinor, currency);
        return t("attachment.suggestion.weak_band", { ...values, from, to });
      }
      case "many_ended":
        return t("attachment.suggestion.many_ended", {
          cancelled: format.number(suggestion.cancelled),
          paid: format.number(suggestion.paid),
          share: format.percent(suggestion.cancelled / suggestion.paid),
        });
    }
  };
}
