/** `rule`: the first rule that fits; `override`: the merchant's own choice; `nothing`: no rule matches. */
export const deciders = ["rule", "override", "nothing"] as const;
export type Decider = (typeof deciders)[number];

/** Means "no insurance" in the filter by category: a category's name has no blank at its start. */
export const NO_CATEGORY = " none";

/** Characters of a rule's text: the platform's own limit of titles, types, vendors and tags. */
export const MAX_CONDITION_TEXT = 255;
