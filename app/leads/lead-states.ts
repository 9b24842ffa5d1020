/** Apart from the filter's schema: the page does not load zod. */
export const leadStates = ["active", "expired"] as const;
