import { Badge, Box, Button, InlineStack, Link, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Account } from "./account-notice.tsx";
import { ConfirmModal } from "./confirm-modal.tsx";
import { useRevalidateWhile } from "./use-revalidate-while.ts";
import { useAction } from "./use-action.ts";

/**
 * One line above every page: whether the shop sells insurance, the switch for it, and that what it sells insures nobody
 * while the test account is in use. It cannot be closed.
 */
export function SellingBar({ account }: { account: Account }) {
  const { t } = useTranslation();
  const { isTest, isGoingLive, hasPlans, isPaused } = account;
  // It ends by itself, on whichever page the merchant is then.
  useRevalidateWhile(isGoingLive);
  const hasSwitch = hasPlans || isPaused;
  if (!isTest && !hasSwitch) return null;
  return (
    <Box
      background={isTest ? "bg-surface-caution" : "bg-surface"}
      borderBlockEndWidth={isTest ? "0" : "025"}
      borderColor="border"
      paddingInline={{ xs: "400", sm: "600" }}
      paddingBlock="200"
    >
      <section aria-label={t("selling.title")}>
        <InlineStack gap="200" blockAlign="center" align="space-between">
          {isTest ? <TestMode account={account} /> : <span />}
          {hasSwitch && <SellingSwitch account={account} />}
        </InlineStack>
      </section>
    </Box>
  );
}

function TestMode({ account: { isGoingLive, hasSold } }: { account: Account }) {
  const { t } = useTranslation();
  return (
    <InlineStack gap="200" blockAlign="center">
      <Badge tone="warning">{t("testMode.title")}</Badge>
      <Text as="p">{t(isGoingLive ? "testMode.ending" : "testMode.body")}</Text>
      {/* Before the first test order other steps come first. */}
      {(isGoingLive || hasSold) && (
        <Link url="/app/go-live">{t(isGoingLive ? "testMode.progress" : "testMode.action")}</Link>
      )}
    </InlineStack>
  );
}

/** The state, and the button that changes it after a question. */
function SellingSwitch({ account: { stop, isPaused } }: { account: Account }) {
  const { t } = useTranslation();
  const { change, isChanging, question } = useSellingChange(isPaused);
  return (
    <InlineStack gap="200" blockAlign="center">
      <Badge tone={stop === null ? "success" : stop === "paused" ? "attention" : "critical"}>
        {t(`selling.state.${stop ?? "on"}`)}
      </Badge>
      <Button size="micro" onClick={change} loading={isChanging}>
        {t(isPaused ? "selling.resume" : "selling.pause")}
      </Button>
      {question}
    </InlineStack>
  );
}

/** Pausing or resuming the sale: a dialog says what will happen, and has to be confirmed. */
export function useSellingChange(isPaused: boolean) {
  const { t } = useTranslation();
  const fetcher = useAction();
  const [isAsking, setIsAsking] = useState(false);
  const name = isPaused ? "resume" : "pause";
  const to = isPaused ? "resumed" : "paused";
  return {
    change: () => setIsAsking(true),
    isChanging: fetcher.state !== "idle",
    question: (
      <ConfirmModal
        open={isAsking}
        title={t(`selling.confirm.${name}.title`)}
        body={t(`selling.confirm.${name}.body`)}
        confirm={t(`selling.${name}`)}
        destructive={!isPaused}
        onConfirm={() => fetcher.submit({ to }, { method: "post", action: "/app/selling" })}
        onClose={() => setIsAsking(false)}
      />
    ),
  };
}
