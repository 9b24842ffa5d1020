/** The touchpoints of the spec, as they appear in properties, settings and statistics. */
export const touchpoints = [
  "product_page",
  "mini_cart",
  "cart",
  "checkout",
  "post_purchase_email",
  "customer_account",
  "mobile_app",
] as const;
export type Touchpoint = (typeof touchpoints)[number];
