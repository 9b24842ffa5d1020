import { Banner } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { RunView } from "#app/catalogue/runs/run-view.ts";
import { useShop } from "./shop.tsx";

const DAY_MS = 24 * 3_600_000;

/** References that wait because of the shop's daily limit of new variants. Nothing where none waits. */
export function WaitingVariantsBanner({ run }: { run: RunView }) {
  const { t } = useTranslation("catalogue");
  const { format } = useShop();
  const { variants_waiting: waiting = 0, variants_created: created = 0 } = run.counts;
  if (waiting === 0) return null;
  return (
    <Banner tone="info" title={t("waiting.title", { count: waiting })}>
      {t("waiting.body", {
        created: format.number(created),
        date: format.dateTime(new Date(run.createdAt.getTime() + DAY_MS)),
      })}
    </Banner>
  );
}
