/**
 * The states and kinds of claims that have a text: in the admin, in mails, on customers' pages and in the account. The
 * insurer's lists are open-ended, so a value without a text is shown as it came.
 */
export const claimStates = {
  approval: ["pending", "approved", "refused"],
  status: [
    "pending_repairs",
    "pending_replacement",
    "pending_documents",
    "repaired",
    "replaced",
    "compensated",
    "refused",
    "open",
    "closed",
  ],
  type: ["theft", "breakage", "breakdown", "oxidation"],
} as const;
