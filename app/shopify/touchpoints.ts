/** The spec's touchpoints, as properties, settings and statistics name them. */
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
