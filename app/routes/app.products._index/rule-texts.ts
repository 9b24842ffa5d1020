import { useTranslation } from "react-i18next";
import type { RuleNames } from "#app/catalogue/product-categories/rules-overview.server.ts";
import type { Condition, Rule } from "#app/catalogue/product-categories/rules.ts";
import { useShop } from "#app/ui/shop.tsx";

/** The text of conditions: "product type is “Smartphone” and price from €100.00". */
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

/**
 * The rules for a comparison, keyed by the text of their conditions. The second of two equal rules gets a number. The
 * value holds the position, because a moved rule decides other products.
 */
export function describeRules(
  rules: Rule[],
  conditionsText: (conditions: Rule["conditions"]) => string,
  outcomeText: (number: number, rule: Rule) => string,
): [name: string, value: string][] {
  const seen = new Map<string, number>();
  return rules.map((rule, index) => {
    const text = conditionsText(rule.conditions);
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return [count === 1 ? text : `${text} (${count})`, outcomeText(index + 1, rule)];
  });
}
