/** The filter's choices, apart from its schema: the page does not load zod. */
export const activitySources = ["plan", "event", "catalogue", "app"] as const;
export type ActivitySource = (typeof activitySources)[number];
