import { Banner, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { CreateLeadResult } from "#app/quotes/create.server.ts";
import type { LeadField, LeadProblem } from "#app/quotes/lead-form.ts";
import type { ActionResult } from "#app/ui/action-result.ts";
import { ServiceProblem, toServiceProblem } from "#app/ui/insurer-problem.tsx";

/** What the page's action answers; once the lead was sent, it leads to the lead's own page instead. */
export type LeadActionResult = ActionResult<
  never,
  Exclude<CreateLeadResult["state"], "created" | "unconfirmed" | "invalid">,
  LeadField,
  LeadProblem
>;

interface LeadMessageProps {
  result: LeadActionResult | undefined;
  onRetry: () => void;
}

/** Why there is no lead (yet). */
export function LeadMessage({ result, onRetry }: LeadMessageProps) {
  const { t } = useTranslation("leads");
  if (result === undefined || result.state === "success") return null;
  if (result.state === "invalid") return <Banner tone="critical">{t("result.invalid")}</Banner>;
  const { reason, detail } = result;
  if (reason === "not_connected" || reason === "refused" || reason === "failed") {
    return <ServiceProblem problem={toServiceProblem(reason, detail)} onRetry={onRetry} />;
  }
  return (
    <Banner tone="critical">
      <Text as="p">{t(`result.${reason}`, { message: detail ?? "" })}</Text>
    </Banner>
  );
}
