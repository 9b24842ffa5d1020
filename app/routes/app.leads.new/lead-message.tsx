import { Banner, BlockStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { CreateLeadResult } from "#app/leads/create.server.ts";
import { ServiceProblem } from "#app/ui/service-problem.tsx";

/** Why there is no lead (yet). */
export function LeadMessage({ result }: { result: CreateLeadResult | null }) {
  const { t } = useTranslation("leads");
  if (result === null || result.state === "created") return null;
  if (result.state === "not_connected" || result.state === "refused" || result.state === "failed") {
    return <ServiceProblem problem={result} />;
  }
  return (
    <Banner tone={result.state === "unknown_outcome" ? "warning" : "critical"}>
      <BlockStack gap="100">
        <Text as="p">
          {t(`result.${result.state}`, {
            message: result.state === "rejected" ? result.serviceMessage : "",
          })}
        </Text>
        {result.state === "unknown_outcome" && (
          <Text as="p" tone="subdued" breakWord>
            {result.reason}
          </Text>
        )}
      </BlockStack>
    </Banner>
  );
}
