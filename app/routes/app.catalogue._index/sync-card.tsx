import { Button, Card, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { referenceStates } from "#app/catalogue/references/reference-states.ts";
import type { ReferenceState } from "#app/catalogue/references/reference-states.ts";
import type { RunView } from "#app/catalogue/runs/run-view.ts";
import { RunFailureBanner, RunProgress, WaitingVariantsBanner } from "#app/ui/run-progress.tsx";
import { ServiceProblem } from "#app/ui/service-problem.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useAction } from "#app/ui/use-action.ts";

interface Props {
  connected: boolean;
  run: RunView | null;
  counts: Record<ReferenceState, number>;
}

/** The sync: under way, or how the last one ended and the button that starts the next. */
export function SyncCard({ connected, run, counts }: Props) {
  const { t } = useTranslation("catalogue");
  const { format } = useShop();
  const fetcher = useAction();
  if (!connected && !run?.active) return <ServiceProblem problem={{ state: "not_connected" }} />;
  if (run?.active) {
    return (
      <Card>
        <RunProgress
          run={run}
          title={t("sync.running")}
          onCancel={() => fetcher.submit({ intent: "cancel", run: run.id }, { method: "post" })}
        />
      </Card>
    );
  }
  return (
    <TitledCard
      title={t("sync.title")}
      action={
        <Button
          variant="primary"
          loading={fetcher.state !== "idle"}
          onClick={() => fetcher.submit({ intent: "sync" }, { method: "post" })}
        >
          {t("sync.start")}
        </Button>
      }
    >
      {run && <RunFailureBanner run={run} title={t("sync.failed")} />}
      {run && <WaitingVariantsBanner run={run} />}
      <Text as="p" tone="subdued">
        {run?.finishedAt ? t("sync.last", { date: format.dateTime(run.finishedAt) }) : t("sync.never")}
      </Text>
      <InlineStack gap="400">
        {referenceStates
          .filter((state) => counts[state] > 0)
          .map((state) => (
            <Link key={state} url={`/app/catalogue?state=${state}`} removeUnderline>
              {t(`figure.${state}`, { count: counts[state] })}
            </Link>
          ))}
      </InlineStack>
      {run?.state === "cancelled" && <Text as="p">{t("sync.stopped")}</Text>}
    </TitledCard>
  );
}
