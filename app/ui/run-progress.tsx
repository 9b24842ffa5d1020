import { BlockStack, Button, InlineStack, ProgressBar, Text, Banner } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RunView } from "#app/catalogue/runs/run.ts";
import { useShop } from "./shop.tsx";
import { TechnicalDetail } from "./details.tsx";
import { Permitted } from "./permitted.tsx";

interface RunProgressProps {
  run: RunView;
  title: string;
  onCancel: () => void;
}

/** How far a run has come. A retry begins again: its bar waits where the previous attempt ended. */
export function useFurthestPercent({ id, percent }: Pick<RunView, "id" | "percent">): number {
  const [furthest, setFurthest] = useState({ id, percent });
  if (furthest.id === id && furthest.percent >= percent) return furthest.percent;
  setFurthest({ id, percent });
  return percent;
}

/** A running run: its progress, current phase, expected end, and the button that stops it. */
export function RunProgress({ run, title, onCancel }: RunProgressProps) {
  const { t } = useTranslation("catalogue");
  const { format } = useShop();
  const percent = useFurthestPercent(run);
  const left =
    run.secondsLeft === null
      ? null
      : run.secondsLeft < 60
        ? t("run.left.seconds", { count: run.secondsLeft })
        : t("run.left.minutes", { count: Math.ceil(run.secondsLeft / 60) });
  return (
    <BlockStack gap="200">
      <InlineStack align="space-between" blockAlign="center" gap="200">
        <Text as="h2" variant="headingMd">
          {title}
        </Text>
        <Permitted>
          {" "}
          <Button onClick={onCancel} disabled={run.stopping}>
            {run.stopping ? t("run.stopping") : t("run.cancel")}
          </Button>
        </Permitted>
      </InlineStack>
      <ProgressBar progress={percent} size="small" ariaLabelledBy={`run-${run.id}`} />
      <div id={`run-${run.id}`} role="status">
        <InlineStack gap="200">
          <Text as="span" numeric>
            {format.percent(percent / 100)}
          </Text>
          <Text as="span">{phaseOf(run)}</Text>
          {left !== null && (
            <Text as="span" tone="subdued">
              {left}
            </Text>
          )}
        </InlineStack>
      </div>
      {run.error === "waiting" && (
        <>
          <Text as="p" tone="caution">
            {t("run.waiting")}
          </Text>
          {run.errorDetail !== null && <TechnicalDetail>{run.errorDetail}</TechnicalDetail>}
        </>
      )}
    </BlockStack>
  );

  function phaseOf({ state, phase, done, total, kind }: RunView): string {
    const words: Partial<Record<string, string>> = {
      start: t("run.phase.start"),
      products: t("run.phase.products", { done: format.number(done) }),
      discover: t("run.phase.discover", { done: format.number(done), total: format.number(total) }),
      read:
        kind === "products" ? t("run.phase.products", { done: format.number(done) }) : t("run.phase.read"),
      write: t(kind === "products" ? "run.phase.assign" : "run.phase.write", {
        done: format.number(done),
        total: format.number(total),
      }),
      publish: t("run.phase.publish"),
    };
    return state === "queued" ? t("run.phase.queued") : (words[phase] ?? phase);
  }
}

/** Why a run failed, and the next step. Renders nothing for other runs. */
export function RunFailureBanner({ run, title }: { run: RunView; title: string }) {
  const { t } = useTranslation("catalogue");
  if (run.state !== "failed") return null;
  const words: Partial<Record<string, string>> = t("run.error", { returnObjects: true });
  return (
    <Banner tone="critical" title={title}>
      <BlockStack gap="100">
        <Text as="p">{words[run.error ?? ""] ?? run.error}</Text>
        {run.errorDetail !== null && <TechnicalDetail>{run.errorDetail}</TechnicalDetail>}
      </BlockStack>
    </Banner>
  );
}

/** The figures of a run: `["90", "new references"]`. A figure without a text shows its name. */
export function useRunFigures(): (run: Pick<RunView, "counts">) => [figure: string, name: string][] {
  const { t } = useTranslation("catalogue");
  const { format, locale } = useShop();
  const plurals = new Intl.PluralRules(locale);
  const names: Partial<Record<string, string>> = t("run.count", { returnObjects: true });
  return ({ counts }) =>
    Object.entries(counts)
      .filter(([, value]) => value > 0)
      .map(([name, value]) => {
        // French has a plural form for millions, which equals the general one here.
        const form = plurals.select(value) === "one" ? "one" : "other";
        return [format.number(value), names[`${name}_${form}`] ?? name.replaceAll("_", " ")];
      });
}

const DAY_MS = 24 * 3_600_000;

/** References that wait because of the shop's daily limit of new variants. Renders nothing if none waits. */
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
