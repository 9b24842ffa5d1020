import { Banner, BlockStack, Button, InlineStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type {
  CheckResult,
  ConnectionField,
  ConnectionProblem,
  ConnectResult,
} from "#app/merchants/connection.ts";
import type { ActionResult } from "./action-result.ts";
import { TechnicalDetail } from "./details.tsx";

type Refusal = Exclude<(CheckResult | ConnectResult)["state"], "accepted" | "token_needed">;

/** What the page's action answers; `refusedNow` is about the token that is set, `refused` about the one entered. */
export type ConnectionActionResult = ActionResult<
  "connected" | "accepted" | "switched" | "switching" | "stopped" | "disconnected" | "removed",
  Refusal | "refusedNow" | "not_connected" | "already_live" | "other_store",
  ConnectionField,
  ConnectionProblem
>;

interface Props {
  result: ConnectionActionResult;
  environment: string;
  /** what to do once the account is connected; null where the page says it itself */
  next: { content: string; url: string } | null;
}

/** The result of the last action on an account, in words that say what to do. */
export function ConnectionMessage({ result, environment, next }: Props) {
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
          {!isDone && result.reason !== "other_store" && result.detail !== null && (
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
