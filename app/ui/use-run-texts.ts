import { useTranslation } from "react-i18next";
import type { RunView } from "#app/catalogue/runs/run-view.ts";
import { useShop } from "./shop.tsx";

/** What runs, their reasons and their figures are called. A word that is not known is said to be another one. */
export function useRunTexts() {
  const { t } = useTranslation(["catalogue", "common"]);
  const { format, locale } = useShop();
  const plurals = new Intl.PluralRules(locale);
  const reasons: Partial<Record<string, string>> = t("run.reason", { returnObjects: true });
  const states: Partial<Record<string, string>> = t("run.state", { returnObjects: true });
  const counts: Partial<Record<string, string>> = t("run.count", { returnObjects: true });
  return {
    kind: ({ kind }: RunView) => t(`run.kind.${kind}`),
    reason: ({ reason }: Pick<RunView, "reason">) =>
      reasons[reason] ?? t("common:unknown.reason", { raw: reason }),
    states,
    /** What a run has done, in its figures: `["90", "new references"]`. */
    figures: (run: Pick<RunView, "counts">): [figure: string, name: string][] =>
      Object.entries(run.counts)
        .filter(([, value]) => value > 0)
        .map(([name, value]) => {
          // French has a form for millions, which reads like the general one here.
          const form = plurals.select(value) === "one" ? "one" : "other";
          return [format.number(value), counts[`${name}_${form}`] ?? name.replaceAll("_", " ")];
        }),
  };
}

export const runTones = { queued: "info", running: "info", done: "success", failed: "critical" } as const;
