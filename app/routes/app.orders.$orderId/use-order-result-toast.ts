import { useTranslation } from "react-i18next";
import type { CustomerField } from "#app/orders/customer.ts";
import type { CustomerDataProblem, ItemAction } from "#app/orders/admin/order-forms.ts";
import type { ActionResult } from "#app/ui/action-result.ts";
import { useActionResult, useToast } from "#app/ui/use-action.ts";
import { useErrorBanner } from "#app/ui/error-banner.tsx";

/**
 * The results of the order page's action. `not_cancelled`: the insurer still shows the contract as active. `failed`:
 * the insurer did not respond, so nothing changed. `not_refunded`, `refund_no_permission`: the insurance ends, and a
 * task asks for its premium.
 */
export type OrderActionResult = ActionResult<
  ItemAction | "end_all" | "end_refunded" | "issue_now" | "customer_data" | "mail_again",
  "unknown" | "conflict" | "not_cancelled" | "failed" | "not_refunded" | "refund_no_permission",
  CustomerField,
  CustomerDataProblem
>;

/**
 * Shows the result of each action once, with the name of its order. Field problems are shown beside the fields.
 * @param isByTask the result is a task: the merchant cancels the contract in their account at the insurer
 */
export function useOrderResultToast(
  order: string,
  result: OrderActionResult | undefined,
  isByTask = false,
): void {
  const { t } = useTranslation("orders");
  const toast = useToast();
  const showError = useErrorBanner();
  useActionResult(result, (next) => {
    if (next.state === "success") toast(t(`said.${isByTask ? "to_cancel" : next.value}`, { order }));
    if (next.state === "refused") showError(t(`said.${next.reason}`, { order, reason: next.detail ?? "" }));
  });
}
