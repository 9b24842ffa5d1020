/** Who acts: a member of the shop's staff, or the app itself. */

/** Causes for which the app acts without a person. */
export const systemCauses = [
  "insurer",
  "customers/redact",
  "customers/data_request",
  "app/uninstalled",
  "shop/redact",
  "retention",
  "reconciliation",
  "catalogue_sync",
  "quote_link",
  "customer_request",
  "report_link",
] as const;
export type SystemCause = (typeof systemCauses)[number];

export type Actor =
  /** `id`: Shopify's id of the staff member, `sub` of the session token */
  { kind: "staff"; id: string } | { kind: "system"; cause: SystemCause };

export const staff = (id: string): Actor => ({ kind: "staff", id });
export const system = (cause: SystemCause): Actor => ({ kind: "system", cause });
