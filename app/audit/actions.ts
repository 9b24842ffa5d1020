/** All actions of the audit log, each with its subject. Texts, links and filters follow from this list. */

/** Views of customers' data; repeated views within an hour are one entry. */
export const accessActions = {
  order_viewed: "order",
  quote_viewed: "quote",
  list_viewed: "list",
} as const;
export type AccessAction = keyof typeof accessActions;

/** The subject of each action; `none` if it has none. */
export const auditActions = {
  connected: "environment",
  disconnected: "environment",
  environment_used: "environment",
  switch_requested: "environment",
  switch_given_up: "environment",
  token_refused: "environment",
  selling_paused: "none",
  selling_resumed: "none",
  account_address_saved: "none",
  organisation_removed: "environment",
  settings_saved: "none",
  touchpoints_saved: "none",
  checkout_rule_on: "none",
  checkout_rule_off: "none",
  market_prices_fixed: "none",
  catalogue_settings_saved: "none",
  rules_saved: "none",
  category_chosen: "product",
  plan_product_restored: "product",
  run_started: "run",
  run_stopped: "run",
  backfill_started: "none",
  backfill_stopped: "none",
  figures_refreshed: "none",
  month_closed: "month",
  plan_retried: "order",
  plan_ended: "order",
  contract_kept: "order",
  mail_sent_again: "order",
  contract_compared: "plan",
  premium_refunded: "order",
  insurance_kept: "order",
  insurance_moved: "order",
  insurance_ended: "order",
  cancellation_confirmed: "order",
  order_issued: "order",
  sales_record_resent: "order",
  customer_data_saved: "order",
  webhook_reprocessed: "webhook",
  task_closed: "task",
  task_reopened: "task",
  quote_created: "quote",
  quote_dropped: "none",
  draft_plan_added: "draft_order",
  draft_link_mailed: "draft_order",
  quote_settings_saved: "none",
  quote_suppressed: "none",
  quote_allowed: "none",
  file_exported: "file",
  data_request_exported: "task",
  customer_data_requested: "none",
  customer_erased: "none",
  personal_data_expired: "none",
  app_removed: "none",
  erasure_scheduled: "none",
  erasure_cancelled: "none",
  ...accessActions,
} as const;
export type AuditAction = keyof typeof auditActions;

export const isAuditAction = (text: unknown): text is AuditAction =>
  typeof text === "string" && Object.hasOwn(auditActions, text);
