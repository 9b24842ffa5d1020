/** Every name in the address that can make the figures fewer; apart from the schema: the page does not load zod. */
export const organisationFilterNames = ["start", "end", "stores", "billing"] as const;
