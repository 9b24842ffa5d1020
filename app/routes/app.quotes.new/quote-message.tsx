import { Banner, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { CreateQuoteResult } from "#app/quotes/create-quote.server.ts";
import type { QuoteField, QuoteProblem } from "#app/quotes/quote-form.ts";
import type { ActionResult } from "#app/ui/action-result.ts";
import { InsurerProblem, toInsurerProblem } from "#app/ui/insurer-problem.tsx";

/** The answers of the page's action. After success the quote's own page opens instead. */
export type QuoteActionResult = ActionResult<
  never,
  Exclude<CreateQuoteResult["state"], "created" | "unconfirmed" | "invalid">,
  QuoteField,
  QuoteProblem
>;

interface QuoteMessageProps {
  result: QuoteActionResult | undefined;
  onRetry: () => void;
}

/** Why no quote exists (yet). */
export function QuoteMessage({ result, onRetry }: QuoteMessageProps) {
  const { t } = useTranslation("quotes");
  if (result === undefined || result.state === "success") return null;
  if (result.state === "invalid") return <Banner tone="critical">{t("result.invalid")}</Banner>;
  const { reason, detail } = result;
  if (reason === "not_connected" || reason === "refused" || reason === "failed") {
    return <InsurerProblem problem={toInsurerProblem(reason, detail)} onRetry={onRetry} />;
  }
  return (
    <Banner tone="critical">
      <Text as="p">{t(`result.${reason}`, { message: detail ?? "" })}</Text>
    </Banner>
  );
}
