import {
  Banner,
  BlockStack,
  Box,
  Button,
  Card,
  InlineStack,
  Link,
  ProgressBar,
  Text,
} from "@shopify/polaris";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { RunView } from "#app/catalogue/runs/run.ts";
import type { CatalogueSetup } from "#app/catalogue/catalogue-rows.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { RunFailureBanner, RunProgress } from "#app/ui/run-progress.tsx";
import { ServiceProblem, toServiceProblem } from "#app/ui/service-problem.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useAction, useRevalidateWhile } from "#app/ui/use-action.ts";
import { usePlacement } from "#app/ui/use-placement.ts";
import type { RulesActionResult } from "./rules-editor.tsx";

interface ProductsRefreshProps {
  run: RunView | null;
  products: number;
  /** products and categories are there to make rules of */
  isKnown: boolean;
  /** the service accepts requests for its categories */
  connected: boolean;
}

/** How fresh what is known of the products is, and the button that reads them (again). */
export function ProductsRefresh({ run, products, isKnown, connected }: ProductsRefreshProps) {
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

interface NextSetupStepProps {
  setup: CatalogueSetup;
  /** the last sync of the catalogue, or the one under way */
  sync: RunView | null;
  /** address of the theme editor that places the offer */
  editor: string;
}

/** After the first rules: what is left to do before shoppers see an offer. It says what the shop's state is, so that it stays. */
export function NextSetupStep({ setup, sync, editor }: NextSetupStepProps) {
  useRevalidateWhile(sync?.active ?? false);
  if (sync?.active) return <Syncing sync={sync} />;
  if (setup.onSale === 0)
    return <StartSync products={setup.insuredProducts} failed={sync?.state === "failed"} />;
  return <Place onSale={setup.onSale} editor={editor} />;
}

function StartSync({ products, failed }: { products: number; failed: boolean }) {
  const { t } = useTranslation("products");
  const fetcher = useAction();
  return (
    <Step
      tone={failed ? "warning" : "success"}
      title={failed ? t("next.sync.failed") : t("next.sync.title", { count: products })}
      body={t("next.sync.body")}
    >
      <Button
        variant="primary"
        loading={fetcher.state !== "idle"}
        onClick={() => fetcher.submit({ intent: "sync" }, { method: "post", action: "/app/catalogue?index" })}
      >
        {t("next.sync.action")}
      </Button>
      {failed && <Link url="/app/catalogue">{t("next.sync.why")}</Link>}
    </Step>
  );
}

function Syncing({ sync: { id, phase, done, total, percent } }: { sync: RunView }) {
  const { t } = useTranslation("products");
  const { format } = useShop();
  const isWriting = phase === "write" && total > 0;
  return (
    <Banner tone="info" title={t("next.syncing.title")}>
      <BlockStack gap="200">
        <ProgressBar progress={percent} size="small" ariaLabelledBy={`sync-${id}`} />
        <div id={`sync-${id}`} role="status">
          <Text as="p">
            {isWriting
              ? t("next.syncing.write", { done: format.number(done), total: format.number(total) })
              : t("next.syncing.body")}
          </Text>
        </div>
      </BlockStack>
    </Banner>
  );
}

function Place({ onSale, editor }: { onSale: number; editor: string }) {
  const { t } = useTranslation("products");
  const { placement } = usePlacement();
  if (!placement || placement.placed.has("product_page")) return null;
  return (
    <Step tone="success" title={t("next.place.title", { count: onSale })} body={t("next.place.body")}>
      <Button variant="primary" url={editor} target="_blank">
        {t("next.place.action")}
      </Button>
    </Step>
  );
}

interface StepProps {
  tone: "success" | "warning";
  title: string;
  body: string;
  children: ReactNode;
}

function Step({ tone, title, body, children }: StepProps) {
  return (
    <Banner tone={tone} title={title}>
      <BlockStack gap="200">
        <Text as="p">{body}</Text>
        <InlineStack gap="400" blockAlign="center">
          {children}
        </InlineStack>
      </BlockStack>
    </Banner>
  );
}
