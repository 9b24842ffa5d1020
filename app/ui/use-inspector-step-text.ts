import { useTranslation } from "react-i18next";
import { storefrontTouchpoints } from "#app/offers/storefront-choices.ts";
import type { InspectorStep } from "#app/offers/inspector/inspector.ts";
import { useProblemText } from "#app/ui/use-problem-text.ts";
import { useShop } from "#app/ui/shop.tsx";

const amounts = new Set(["price", "min", "max"]);

/** A step's outcome as a text (`inspector.outcome.<step>.<outcome>`), its values formatted. */
export function useInspectorStepText(): (step: InspectorStep) => string {
  const { t } = useTranslation("products");
  const { format, currency } = useShop();
  const sayProblem = useProblemText();

  const write = (name: string, value: string | number): string | number => {
    if (typeof value === "number") return amounts.has(name) ? format.money(value, currency) : value;
    if (name === "problem") return sayProblem(value, null);
    const touchpoint = storefrontTouchpoints.find((each) => each === value);
    return name === "touchpoint" && touchpoint ? t(`inspector.touchpoints.${touchpoint}`) : value;
  };

  return ({ step, outcome, values }) => {
    const written = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, write(name, value)]),
    );
    const words: Partial<Record<string, string>> = t(`inspector.outcome.${step}`, {
      ...written,
      returnObjects: true,
    });
    return words[outcome] ?? outcome.replaceAll("_", " ");
  };
}
