import { Banner, BlockStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { RunView } from "#app/catalogue/runs/run-view.ts";
import { TechnicalDetail } from "./technical-detail.tsx";

/** Why a run failed, in words that say what to do. Nothing for a run that did not. */
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
