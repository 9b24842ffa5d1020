import { useRevalidator } from "@remix-run/react";
import { Banner, BlockStack, Box, Button, Card, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { EmptyState } from "./empty-state.tsx";
import { useAccount } from "./account-notice.tsx";
import { TechnicalDetail } from "./details.tsx";

export type ServiceProblemState =
  { state: "not_connected" } | { state: "refused" | "failed"; reason: string };

/** A problem from the parts of a refused action. */
export function toServiceProblem(
  reason: ServiceProblemState["state"],
  detail: string | null,
): ServiceProblemState {
  return reason === "not_connected" ? { state: reason } : { state: reason, reason: detail ?? "" };
}

/**
 * Said where a page needs the service and cannot have it: what is wrong, and what to do. Where the shell says what is
 * wrong already, only what that means for the page.
 */
export function ServiceProblem({ problem }: { problem: ServiceProblemState }) {
  const { t } = useTranslation();
  const revalidator = useRevalidator();
  const account = useAccount();
  if (problem.state === "not_connected") {
    return (
      <Card>
        <EmptyState
          title={t("service.notConnected.title")}
          body={t("service.notConnected.body")}
          action={{ content: t("service.notConnected.action"), url: "/app/connection" }}
        />
      </Card>
    );
  }
  const { state, reason } = problem;
  const words = (
    <BlockStack gap="100">
      <Text as="p">{t(`service.${state}.body`)}</Text>
      {reason !== "" && <TechnicalDetail>{reason}</TechnicalDetail>}
    </BlockStack>
  );
  const retry = { content: t("action.retry"), onAction: () => revalidator.revalidate() };
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
      title={t(`service.${state}.title`)}
      action={state === "refused" ? { content: t("banner.refused.action"), url: "/app/connection" } : retry}
    >
      {words}
    </Banner>
  );
}
