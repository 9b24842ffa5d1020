import { BlockStack, Button, InlineStack, ProgressBar, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { RunView } from "#app/catalogue/runs/run-view.ts";
import { useShop } from "./shop.tsx";
import { TechnicalDetail } from "./technical-detail.tsx";

interface Props {
  run: RunView;
  title: string;
  onCancel: () => void;
}

/** A run under way: how far it is, what it does now, how long it will take, and the way to stop it. */
export function RunProgress({ run, title, onCancel }: Props) {
  const { t } = useTranslation("catalogue");
  const { format } = useShop();
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
        <Button onClick={onCancel} disabled={run.stopping}>
          {run.stopping ? t("run.stopping") : t("run.cancel")}
        </Button>
      </InlineStack>
      <ProgressBar progress={run.percent} size="small" ariaLabelledBy={`run-${run.id}`} />
      <div id={`run-${run.id}`} role="status">
        <InlineStack gap="200">
          <Text as="span" numeric>
            {format.percent(run.percent / 100)}
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
