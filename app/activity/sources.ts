/** What the page Activity can be narrowed to: without the schema, whose library the page need not load. */
export const activitySources = ["plan", "event", "catalogue", "app"] as const;
export type ActivitySource = (typeof activitySources)[number];

export const activityFilterNames = ["source", "query"] as const;
