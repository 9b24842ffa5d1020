import { useTranslation } from "react-i18next";

/** What is wrong with a reference or a category, in words. */
export function useProblemText(): (problem: string, detail: string | null) => string {
  const { t } = useTranslation(["catalogue", "common"]);
  return (problem, given) => {
    const detail = given ?? "";
    const words: Partial<Record<string, string>> = {
      price_zero: t("problem.price_zero"),
      band_inverted: t("problem.band_inverted"),
      amount_too_large: t("problem.amount_too_large"),
      currency: t("problem.currency", { detail }),
      no_documents: t("problem.no_documents"),
      overlap: t("problem.overlap", { detail }),
      not_confirmed: t("problem.not_confirmed"),
      service_differs: t("problem.service_differs"),
      not_written: t("problem.not_written", { detail }),
      variant_limit: t("problem.variant_limit"),
      empty_category: t("problem.empty_category"),
      not_read: t("problem.not_read", { detail }),
      not_unpublished: t("problem.not_unpublished", { detail }),
    };
    return (
      words[problem] ?? t("common:unknown.problem", { raw: [problem, given].filter(Boolean).join(", ") })
    );
  };
}
