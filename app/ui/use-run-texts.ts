import { useTranslation } from "react-i18next";
import type { RunView } from "#app/catalogue/runs/run-view.ts";
import { useShop } from "./shop.tsx";

/** What runs, their reasons and their figures are called. A word that is not known is said to be another one. */
export function useRunTexts() {
  const { t } = useTranslation(["catalogue", "common"]);
  const { format } = useShop();
  const reasons: Partial<Record<string, string>> = {
    merchant: t("run.reason.merchant"),
    schedule: t("run.reason.schedule"),
    currency: t("run.reason.currency"),
    retry: t("run.reason.retry"),
    rules: t("run.reason.rules"),
    connection: t("run.reason.connection"),
    live: t("run.reason.live"),
    import: t("run.reason.import"),
  };
  const states: Partial<Record<string, string>> = {
    queued: t("run.state.queued"),
    running: t("run.state.running"),
    done: t("run.state.done"),
    failed: t("run.state.failed"),
    cancelled: t("run.state.cancelled"),
  };
  const counts: Partial<Record<string, string>> = {
    products: t("run.count.products"),
    decided: t("run.count.decided"),
    written: t("run.count.written"),
    references_added: t("run.count.references_added"),
    references_changed: t("run.count.references_changed"),
    references_vanished: t("run.count.references_vanished"),
    products_written: t("run.count.products_written"),
    products_retired: t("run.count.products_retired"),
    variants_created: t("run.count.variants_created"),
    variants_updated: t("run.count.variants_updated"),
    variants_withdrawn: t("run.count.variants_withdrawn"),
    catalogues_written: t("run.count.catalogues_written"),
    variants_waiting: t("run.count.variants_waiting"),
    channels_left: t("run.count.channels_left"),
    edits: t("run.count.edits"),
    problems: t("run.count.problems"),
  };
  return {
    kind: ({ kind }: RunView) => t(`run.kind.${kind}`),
    reason: ({ reason }: RunView) => reasons[reason] ?? t("common:unknown.reason", { raw: reason }),
    states,
    /** What a run has done, in its figures: `["90", "new references"]`. */
    figures: (run: RunView): [figure: string, name: string][] =>
      Object.entries(run.counts)
        .filter(([, value]) => value > 0)
        .map(([name, value]) => [format.number(value), counts[name] ?? name.replaceAll("_", " ")]),
  };
}

export const runTones = { queued: "info", running: "info", done: "success", failed: "critical" } as const;
