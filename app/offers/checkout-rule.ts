/** Of the rule at the checkout, as Shopify shows it. */
export const checkoutRuleStates = [
  "on",
  /** on, and checkouts stop, too, where the rule itself fails */
  "blocking",
  "off",
  /** the shop has not permitted the app to see its rules: it may be on */
  "no_permission",
  /** off, and the shop has as many active rules as it can */
  "limit_reached",
  /** off, and the installed version of the app came without the Function */
  "not_deployed",
] as const;
/** The scope that the merchant grants before the app may see and change rules (shopify.app.toml). */
export const checkoutRuleScopes = ["read_validations", "write_validations"];

export type CheckoutRuleState = (typeof checkoutRuleStates)[number];
