import { useTranslation } from "react-i18next";
import { MAX_STORED_MINOR } from "#app/platform/money.ts";
import { storefrontTouchpoints } from "#app/offers/storefront-choices.ts";
import type { InspectorStep } from "#app/offers/inspector/inspector.ts";
import { useShop } from "./shop.tsx";

/** The problem of a reference or a category as a text. */
export function useProblemText(): (problem: string, detail: string | null) => string {
  const { t } = useTranslation(["catalogue", "common"]);
  return (problem, given) => {
    const detail = given ?? "";
    const words: Partial<Record<string, string>> = {
      price_zero: t("problem.price_zero"),
      band_inverted: t("problem.band_inverted"),
      amount_too_large: t("problem.amount_too_large"),
      currency: t("problem.currency", { detail }),
      no_cents: t("problem.no_cents", { detail }),
      yearly_premium: t("problem.yearly_premium"),
      monthly: t("problem.monthly"),
      no_documents: t("problem.no_documents"),
      overlap: t("problem.overlap", { detail }),
      not_written: t("problem.not_written", { detail }),
      variant_limit: t("problem.variant_limit"),
      empty_category: t("problem.empty_category"),
      not_read: t("problem.not_read", { detail }),
      rows_not_read: t("problem.rows_not_read", { detail }),
      not_retired: t("problem.not_retired", { detail }),
      not_published: t("problem.not_published", { detail }),
      not_unpublished: t("problem.not_unpublished", { detail }),
    };
    return (
      words[problem] ?? t("common:unknown.problem", { raw: [problem, given].filter(Boolean).join(", ") })
    );
  };
}

/** A price band (minor units, both ends included) as "€50.00 – €99.99"; "from €50.00" without an upper end. */
export function usePriceBandText(): (minMinor: number, maxMinor: number, currency: string) => string {
  const { t } = useTranslation("catalogue");
  const { format } = useShop();
  return (minMinor, maxMinor, currency) => {
    const min = format.money(minMinor, currency);
    return maxMinor >= MAX_STORED_MINOR
      ? t("band.from", { min })
      : t("band.between", { min, max: format.money(maxMinor, currency) });
  };
}

const amounts = new Set(["price", "min", "max"]);

/**
 * The text of a step's outcome (`inspector.outcome.<step>.<outcome>`, in the plural form of its count), with formatted
 * values.
 */
export function useInspectorStepText(): (step: InspectorStep) => string {
  const { t } = useTranslation("products");
  const { format, currency, locale } = useShop();
  const plurals = new Intl.PluralRules(locale);
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
    const { count } = values;
    // French has a plural form for millions, which equals the general one here.
    const form = typeof count === "number" && plurals.select(count) === "one" ? "one" : "other";
    return words[`${outcome}_${form}`] ?? words[outcome] ?? outcome.replaceAll("_", " ");
  };
}
