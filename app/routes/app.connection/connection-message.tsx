import { Banner, BlockStack, Button, InlineStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Answer } from "./answer.ts";

/** What came of the last thing done with an account, in words that say what to do. */
export function ConnectionMessage({ answer, environment }: { answer: Answer; environment: string }) {
  const { t } = useTranslation("connection");
  if ("problems" in answer || ("result" in answer && answer.result === null)) return null;
  const said = wording(answer);
  const reason =
    "result" in answer && answer.result && "reason" in answer.result ? answer.result.reason : null;
  return (
    <div aria-live="polite">
      <Banner tone={said.good ? "success" : "critical"}>
        <BlockStack gap="100">
          <Text as="p">{t(`result.${said.key}`, { environment })}</Text>
          {reason !== null && (
            <Text as="p" tone="subdued" breakWord>
              {t("result.answer", { reason })}
            </Text>
          )}
          {said.key === "connected" && (
            <InlineStack>
              <Button url="/app/products">{t("result.next")}</Button>
            </InlineStack>
          )}
        </BlockStack>
      </Banner>
    </div>
  );
}

function wording(answer: Answer) {
  if (answer.done === "disconnect") return { key: "disconnected", good: true } as const;
  if (answer.done === "remove_organisation") return { key: "removed", good: true } as const;
  if (answer.done === "use")
    return { key: answer.result.state, good: answer.result.state === "switched" } as const;
  const state = "result" in answer ? (answer.result?.state ?? "accepted") : "accepted";
  if (state === "accepted")
    return { key: answer.done === "connect" ? "connected" : "accepted", good: true } as const;
  if (state === "refused" && answer.done === "check") return { key: "refusedNow", good: false } as const;
  return { key: state, good: false } as const;
}
