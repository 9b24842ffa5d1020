import { Banner, BlockStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { CreateLeadResult } from "#app/leads/create.server.ts";
import type { LeadField, LeadProblem } from "#app/leads/lead-form.ts";
import type { ActionResult } from "#app/ui/action-result.ts";
import { ServiceProblem, toServiceProblem } from "#app/ui/service-problem.tsx";

/** What the page's action answers; once the lead is created, it leads to the lead's own page instead. */
export type LeadActionResult = ActionResult<
  never,
  Exclude<CreateLeadResult["state"], "created" | "invalid">,
  LeadField,
  LeadProblem
>;

/** Why there is no lead (yet). */
export function LeadMessage({ result }: { result: LeadActionResult | undefined }) {
  const { t } = useTranslation("leads");
  if (result === undefined || result.state === "success") return null;
  if (result.state === "invalid") return <Banner tone="critical">{t("result.invalid")}</Banner>;
  const { reason, detail } = result;
  if (reason === "not_connected" || reason === "refused" || reason === "failed") {
    return <ServiceProblem problem={toServiceProblem(reason, detail)} />;
  }
  return (
    <Banner tone={reason === "unknown_outcome" ? "warning" : "critical"}>
      <BlockStack gap="100">
        <Text as="p">{t(`result.${reason}`, { message: detail ?? "" })}</Text>
        {reason === "unknown_outcome" && (
          <Text as="p" tone="subdued" breakWord>
            {detail}
          </Text>
        )}
      </BlockStack>
    </Banner>
  );
}
