import { Banner, BlockStack, Button, InlineStack, Link, ProgressBar, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { CatalogueSetup } from "#app/catalogue/setup.server.ts";
import type { RunView } from "#app/catalogue/runs/run-view.ts";
import { useShop } from "#app/ui/shop.tsx";
import { usePlacement } from "#app/ui/use-placement.ts";
import { useAction, useRevalidateWhile } from "#app/ui/use-action.ts";

interface Props {
  setup: CatalogueSetup;
  /** the last sync of the catalogue, or the one under way */
  sync: RunView | null;
  /** address of the theme editor that places the offer */
  editor: string;
}

/** After the first rules: what is left to do before shoppers see an offer. It says what the shop's state is, so that it stays. */
export function NextSetupStep({ setup, sync, editor }: Props) {
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
