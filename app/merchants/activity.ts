/** What somebody did with the app that no order, run or event tells. */
export const activityKinds = [
  "connected",
  "disconnected",
  "environment_used",
  "token_refused",
  "organisation_removed",
  "touchpoints_saved",
  "settings_saved",
  "lead_created",
] as const;
export type ActivityKind = (typeof activityKinds)[number];
