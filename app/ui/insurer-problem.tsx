import { useRevalidator } from "@remix-run/react";
import { Banner, BlockStack, Box, Button, Card, InlineStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type {
  CheckResult,
  ConnectionField,
  ConnectionProblem,
  ConnectResult,
} from "#app/merchants/connection.ts";
import { useAccount } from "./account-notice.tsx";
import type { ActionResult } from "./action-result.ts";
import { TechnicalDetail } from "./details.tsx";
import { EmptyState } from "./empty-state.tsx";

export type InsurerProblemState =
  { state: "not_connected" } | { state: "refused" | "failed"; reason: string };

/** A problem from the parts of a failed action. */
export function toInsurerProblem(
  reason: InsurerProblemState["state"],
  detail: string | null,
): InsurerProblemState {
  return reason === "not_connected" ? { state: reason } : { state: reason, reason: detail ?? "" };
}

interface InsurerProblemProps {
  problem: InsurerProblemState;
  /** retries the request to the insurer; without it the page reloads */
  onRetry?: () => void;
}

/**
 * Shown if a page needs the insurer and a request failed: the problem and the next step. If the shell already shows the
 * problem, only its effect on the page.
 */
export function InsurerProblem({ problem, onRetry }: InsurerProblemProps) {
  const { t } = useTranslation();
  const revalidator = useRevalidator();
  const account = useAccount();
  if (problem.state === "not_connected") {
    return (
      <Card>
        <EmptyState
          title={t("insurer.notConnected.title")}
          body={t("insurer.notConnected.body")}
          action={{ content: t("insurer.notConnected.action"), url: "/app/connection" }}
        />
      </Card>
    );
  }
  const { state, reason } = problem;
  const words = (
    <BlockStack gap="100">
      <Text as="p">{t(`insurer.${state}.body`)}</Text>
      {reason !== "" && <TechnicalDetail>{reason}</TechnicalDetail>}
    </BlockStack>
  );
  const retry = { content: t("action.retry"), onAction: onRetry ?? (() => revalidator.revalidate()) };
  if (account?.state === (state === "refused" ? "refused" : "unreachable")) {
    return (
      <Card>
        <Box role="status">
          <BlockStack gap="300" inlineAlign="start">
            {words}
            {state === "failed" && <Button onClick={retry.onAction}>{retry.content}</Button>}
          </BlockStack>
        </Box>
      </Card>
    );
  }
  return (
    <Banner
      tone={state === "refused" ? "critical" : "warning"}
      title={t(`insurer.${state}.title`)}
      action={state === "refused" ? { content: t("banner.refused.action"), url: "/app/connection" } : retry}
    >
      {words}
    </Banner>
  );
}

type Refusal = Exclude<(CheckResult | ConnectResult)["state"], "accepted" | "token_needed">;

/** The answers of the page's action. `refusedNow` is about the saved token, `refused` about the entered one. */
export type ConnectionActionResult = ActionResult<
  "connected" | "accepted" | "switched" | "switching" | "stopped" | "disconnected" | "removed",
  Refusal | "unusable" | "refusedNow" | "not_connected" | "legal_gaps" | "already_live" | "other_store",
  ConnectionField,
  ConnectionProblem
>;

/** The text of this reason names a store. */
const NAMES_STORE = "other_store";

interface ConnectionMessageProps {
  result: ConnectionActionResult;
  environment: string;
  /** the next step after the account is connected; null if the page shows it itself */
  next: { content: string; url: string } | null;
}

/** The result of the last action on an account, with the next step. */
export function ConnectionMessage({ result, environment, next }: ConnectionMessageProps) {
  const { t } = useTranslation("connection");
  if (result.state === "invalid") return null;
  const isDone = result.state === "success";
  return (
    <div aria-live="polite">
      <Banner tone={isDone ? "success" : "critical"}>
        <BlockStack gap="100">
          <Text as="p">
            {t(`result.${isDone ? result.value : result.reason}`, {
              environment,
              store: isDone ? null : result.detail,
            })}
          </Text>
          {!isDone && result.reason !== NAMES_STORE && result.detail !== null && (
            <TechnicalDetail>{result.detail}</TechnicalDetail>
          )}
          {isDone && result.value === "connected" && next && (
            <InlineStack>
              <Button url={next.url}>{next.content}</Button>
            </InlineStack>
          )}
        </BlockStack>
      </Banner>
    </div>
  );
}
