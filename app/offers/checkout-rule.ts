/** States of the checkout rule, from Shopify. */
export const checkoutRuleStates = [
  "on",
  /** on, and checkouts also stop if the rule itself fails */
  "blocking",
  "off",
  /** unknown: the shop has not permitted the app to read its rules */
  "no_permission",
  /** off, and the shop has reached the limit of active rules */
  "limit_reached",
  /** off, and the installed version of the app lacks the Function */
  "not_deployed",
] as const;
/** The scopes that the merchant grants before the app may read and change rules (shopify.app.toml). */
export const checkoutRuleScopes = ["read_validations", "write_validations"];

export type CheckoutRuleState = (typeof checkoutRuleStates)[number];
