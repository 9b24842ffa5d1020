/**
 * The rule that checks carts in the checkout. Only Shopify stores its state, because the merchant can also change it
 * there.
 */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { checkOptionalScopes } from "#app/merchants/optional-scopes.server.ts";
import type { Locale } from "#app/platform/locale.ts";
import { withStaffLock } from "#app/merchants/staff-request.server.ts";
import { AccessDenied, AdminUnavailable } from "#app/shopify/errors.ts";
import { readOrNull } from "#app/shopify/graphql.server.ts";
import {
  createCheckoutRule,
  MOST_ACTIVE_RULES,
  readCheckoutRules,
  switchCheckoutRule,
} from "#app/shopify/validations.server.ts";
import type { CheckoutRule, CheckoutRules } from "#app/shopify/validations.server.ts";
import type { CheckoutRuleState } from "./checkout-rule.ts";

/** The rule's state for a page. Null: Shopify does not respond now. */
export async function readCheckoutRule(shop: string): Promise<CheckoutRuleState | null> {
  return readOrNull(shop, "the checkout rule", async (signal) => {
    try {
      return stateOf(await readCheckoutRules(shop, { signal }));
    } catch (error) {
      if (error instanceof AccessDenied) return "no_permission";
      throw error;
    }
  });
}

function stateOf({ appRules: own, active, isDeployed }: CheckoutRules): CheckoutRuleState {
  const on = own.filter(({ isOn }) => isOn);
  if (on.length > 0) return on.some(({ blocksOnFailure }) => blocksOnFailure) ? "blocking" : "on";
  if (!isDeployed) return "not_deployed";
  return active >= MOST_ACTIVE_RULES ? "limit_reached" : "off";
}

/** The rule's name in Shopify's list of checkout rules. */
const titles: Record<Locale, string> = { en: "Insurance in the cart", fr: "Assurance du panier" };

/**
 * Turns the rule on. If the rule itself fails, the checkout continues. An active rule stays as it is.
 * @throws CheckoutRuleRefused; AccessDenied without the permission; AdminRefused, AdminUnavailable, NoAccess
 */
export async function turnOnCheckoutRule(shop: string, locale: Locale, actor: Actor): Promise<void> {
  // The merchant may have granted the permission a moment ago.
  await checkOptionalScopes(shop);
  // If two requests turn it on concurrently, the second one finds the first one's rule.
  const turned = await withStaffLock(shop, async () => {
    await turnOn(shop, locale, actor);
    return true;
  });
  if (turned === null)
    throw new AdminUnavailable("another request changes the checkout rule", {
      shop,
      operation: null,
      requestId: null,
    });
}

async function turnOn(shop: string, locale: Locale, actor: Actor): Promise<void> {
  const { appRules: own } = await readCheckoutRules(shop);
  const fine = { isOn: true, blocksOnFailure: false };
  const blocking = own.filter(({ isOn, blocksOnFailure }) => isOn && blocksOnFailure);
  const isOn = own.some((rule) => rule.isOn);
  const [first] = own;
  if (isOn && blocking.length === 0) return;
  if (isOn) for (const { id } of blocking) await switchCheckoutRule(shop, { id, ...fine });
  else if (first) await switchCheckoutRule(shop, { ...first, ...fine });
  else await createCheckoutRule(shop, titles[locale]);
  await recordAudit({ shop, actor, action: "checkout_rule_on" });
}

/** @throws as `turnOnCheckoutRule` */
export async function turnOffCheckoutRule(shop: string, actor: Actor): Promise<void> {
  const { appRules: own } = await readCheckoutRules(shop);
  const on: CheckoutRule[] = own.filter(({ isOn }) => isOn);
  for (const rule of on) await switchCheckoutRule(shop, { ...rule, isOn: false });
  if (on.length > 0) await recordAudit({ shop, actor, action: "checkout_rule_off" });
}
