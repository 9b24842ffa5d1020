import { Box, Button, Card, InlineStack, Text } from "@shopify/polaris";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { RunView } from "#app/catalogue/runs/run-view.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { RunFailureBanner, RunProgress } from "#app/ui/run-progress.tsx";
import { ServiceProblem, toServiceProblem } from "#app/ui/service-problem.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useAction } from "#app/ui/use-action.ts";
import type { RulesActionResult } from "./use-rules-preview.ts";

interface Props {
  run: RunView | null;
  products: number;
  /** products and categories are there to make rules of */
  isKnown: boolean;
  /** the service accepts requests for its categories */
  connected: boolean;
}

/** How fresh what is known of the products is, and the button that reads them (again). */
export function ProductsRefresh({ run, products, isKnown, connected }: Props) {
  const { t } = useTranslation("products");
  const { format } = useShop();
  const fetcher = useAction<RulesActionResult>();
  const read = () => fetcher.submit({ intent: "read" }, { method: "post" });
  // The first visit starts it by itself.
  const begins = connected && !isKnown && run === null;
  const { submit } = fetcher;
  useEffect(() => {
    if (begins) submit({ intent: "read" }, { method: "post" });
  }, [begins, submit]);
  const result = fetcher.data;
  const problem =
    result?.state === "refused" && result.reason !== "malformed" && result.reason !== "changed_elsewhere"
      ? toServiceProblem(result.reason, result.detail)
      : null;
  if (run?.active) {
    return (
      <Card>
        <RunProgress
          run={run}
          title={t("reading")}
          onCancel={() => fetcher.submit({ intent: "cancel", run: run.id }, { method: "post" })}
        />
      </Card>
    );
  }
  return (
    <>
      {problem && <ServiceProblem problem={problem} />}
      {run && <RunFailureBanner run={run} title={t("read.failed")} />}
      {!isKnown ? (
        <Card>
          <EmptyState
            title={t("begin.title")}
            body={t("begin.body")}
            action={{ content: t("begin.action"), onAction: read }}
          />
        </Card>
      ) : (
        run?.finishedAt && (
          <Box paddingInline={{ xs: "400", sm: "0" }}>
            <InlineStack gap="200" blockAlign="center">
              <Text as="p" tone="subdued">
                {t("read.last", {
                  date: format.dateTime(run.finishedAt),
                  products: format.number(products),
                })}
              </Text>
              <Button variant="plain" onClick={read} loading={fetcher.state !== "idle"}>
                {t("read.again")}
              </Button>
            </InlineStack>
          </Box>
        )
      )}
    </>
  );
}
