/** What the list of claims can be narrowed to, apart from its schema: the page does not load zod. */
export const approvals = ["pending", "approved", "refused"] as const;
export const stages = ["open", "closed"] as const;
