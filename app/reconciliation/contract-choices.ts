/** What the list of contracts at the insurer can be narrowed to, apart from its schema: the page does not load zod. */
export const contractStatuses = ["active", "cancelled", "unclear"] as const;
/** `unknown`: neither a book nor a quote of the app has the contract. */
export const contractOrigins = ["known", "unknown"] as const;
