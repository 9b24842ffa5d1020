import { useFetcher } from "@remix-run/react";
import { BlockStack, Button, Card, InlineStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { RunView } from "#app/catalogue/run-view.ts";
import { RunFailure } from "#app/ui/run-failure.tsx";
import { RunProgress } from "#app/ui/run-progress.tsx";
import { ServiceProblem } from "#app/ui/service-problem.tsx";
import { useShop } from "#app/ui/shop.tsx";

/** The sync: under way, or how the last one ended and the button that starts the next. */
export function SyncCard({ connected, run }: { connected: boolean; run: RunView | null }) {
  const { t } = useTranslation("catalogue");
  const { format } = useShop();
  const fetcher = useFetcher();
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
    <Card>
      <BlockStack gap="300">
        <InlineStack align="space-between" blockAlign="center" gap="200">
          <Text as="h2" variant="headingMd">
            {t("sync.title")}
          </Text>
          <Button
            variant="primary"
            loading={fetcher.state !== "idle"}
            onClick={() => fetcher.submit({ intent: "sync" }, { method: "post" })}
          >
            {t("sync.start")}
          </Button>
        </InlineStack>
        {run && <RunFailure run={run} title={t("sync.failed")} />}
        <Text as="p" tone="subdued">
          {run?.finishedAt ? t("sync.last", { date: format.dateTime(run.finishedAt) }) : t("sync.never")}
        </Text>
        {run?.state === "cancelled" && <Text as="p">{t("sync.stopped")}</Text>}
      </BlockStack>
    </Card>
  );
}
