/** /app/touchpoints/rule: turns the rule at the checkout on and off in the shop. */
import { z } from "zod";
import { pageAction } from "#app/merchants/guard.server.ts";
import { turnOffCheckoutRule, turnOnCheckoutRule } from "#app/offers/checkout-rule.server.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { log } from "#app/platform/log.server.ts";
import { AccessDenied, AdminRefused, ShopError } from "#app/shopify/errors.ts";
import { CheckoutRuleRefused } from "#app/shopify/validations.server.ts";
import type { CheckoutRuleRefusal } from "#app/shopify/validations.server.ts";
import { refused, success } from "#app/ui/action-result.ts";
import type { ActionResult } from "#app/ui/action-result.ts";

const form = z.object({ intent: z.enum(["turn_on", "turn_off"]) });
type Intent = z.output<typeof form>["intent"];
export type CheckoutRuleProblem = CheckoutRuleRefusal | "no_permission" | "refused" | "shop_unavailable";
export type CheckoutRuleResult = ActionResult<Intent, CheckoutRuleProblem>;

export const action = pageAction(
  async ({ request }, { shop, locale, actor }): Promise<CheckoutRuleResult> => {
    const { intent } = await parseForm(request, form);
    try {
      if (intent === "turn_on") await turnOnCheckoutRule(shop, locale, actor);
      else await turnOffCheckoutRule(shop, actor);
      return success(intent);
    } catch (error) {
      if (!(error instanceof ShopError)) throw error;
      log.warn({ err: error, shop }, "Failed to change the checkout rule on Shopify");
      return refused(problemOf(error));
    }
  },
);

function problemOf(error: ShopError): CheckoutRuleProblem {
  if (error instanceof CheckoutRuleRefused) return error.reason;
  if (error instanceof AccessDenied) return "no_permission";
  return error instanceof AdminRefused ? "refused" : "shop_unavailable";
}

export { clientAction } from "#app/ui/client-action.ts";
