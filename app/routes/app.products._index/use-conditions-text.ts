import { useTranslation } from "react-i18next";
import type { RuleNames } from "#app/catalogue/product-categories/rule-names.server.ts";
import type { Condition } from "#app/catalogue/product-categories/rules.ts";
import { useShop } from "#app/ui/shop.tsx";

/** Conditions in words: "product type is “Smartphone” and price from €100.00". */
export function useConditionsText(names: RuleNames): (conditions: readonly Condition[]) => string {
  const { t } = useTranslation("products");
  const { format, currency } = useShop();
  const say = (condition: Condition): string => {
    switch (condition.field) {
      case "price": {
        const { minMinor, maxMinor } = condition;
        const min = minMinor === null ? null : format.money(minMinor, currency);
        const max = maxMinor === null ? null : format.money(maxMinor, currency);
        if (min !== null && max !== null) return t("says.price.between", { min, max });
        if (min !== null) return t("says.price.from", { min });
        return max === null ? t("says.price.any") : t("says.price.to", { max });
      }
      case "collection":
      case "product": {
        const { field, value: id } = condition;
        return t(`says.${field}`, { value: names[`${field} ${id}`] ?? t("says.gone", { id }) });
      }
      default:
        return t(`says.${condition.field}`, { value: condition.value });
    }
  };
  return (conditions) => conditions.map(say).join(t("says.and"));
}
