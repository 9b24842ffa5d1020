import { useRevalidator } from "@remix-run/react";
import { Banner, BlockStack, Card, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { Nothing } from "./nothing.tsx";

export type Problem = { state: "not_connected" } | { state: "refused" | "failed"; reason: string };

/** Said where a page needs the service and cannot have it: what is wrong, and what to do. */
export function ServiceProblem({ problem }: { problem: Problem }) {
  const { t } = useTranslation();
  const revalidator = useRevalidator();
  if (problem.state === "not_connected") {
    return (
      <Card>
        <Nothing
          title={t("service.notConnected.title")}
          body={t("service.notConnected.body")}
          action={{ content: t("service.notConnected.action"), url: "/app/connection" }}
        />
      </Card>
    );
  }
  const action =
    problem.state === "refused"
      ? { content: t("banner.refused.action"), url: "/app/connection" }
      : { content: t("action.retry"), onAction: () => revalidator.revalidate() };
  return (
    <Banner
      tone={problem.state === "refused" ? "critical" : "warning"}
      title={t(`service.${problem.state}.title`)}
      action={action}
    >
      <BlockStack gap="100">
        <Text as="p">{t(`service.${problem.state}.body`)}</Text>
        <Text as="p" tone="subdued" breakWord>
          {t("service.answer", { reason: problem.reason })}
        </Text>
      </BlockStack>
    </Banner>
  );
}
