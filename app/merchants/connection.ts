/** A merchant's accounts at the insurer: states, form and results, for server and browser. */
import { z } from "zod";

export const environments = ["test", "production"] as const;
export type Environment = (typeof environments)[number];
export const environment = z.enum(environments);

/** The last check: the insurer accepted the token, refused it, or did not answer. */
export const connectionStates = ["accepted", "refused", "unreachable"] as const;
export type ConnectionState = (typeof connectionStates)[number];
export const connectionState = z.enum(connectionStates);

/**
 * Whether contracts need the customer's phone number, which the specification does not say. `optional`: not that we
 * know. `needed`: the insurer refused a contract without one. `asked`: the merchant confirms that the checkout
 * requires it.
 */
export const phoneNumberNeeds = ["optional", "needed", "asked"] as const;
export type PhoneNumberNeed = (typeof phoneNumberNeeds)[number];
export const phoneNumberNeed = z.enum(phoneNumberNeeds);

/** A connection without its tokens, for a page. */
export interface ConnectionView {
  environment: Environment;
  storeId: string;
  tokenSetAt: Date;
  organisationTokenSetAt: Date | null;
  checkedAt: Date;
  state: ConnectionState;
  phoneNumber: PhoneNumberNeed;
}

/** The possible problems of a field; the keys of its message. */
export const connectionProblems = ["missing", "token_missing", "malformed", "too_long"] as const;
export type ConnectionProblem = (typeof connectionProblems)[number];
const say = (problem: ConnectionProblem) => problem;

// Pasted text may have spaces and line breaks around it. Ids and tokens are printable ASCII, because the token is
// sent in a header and the store id in a path.
const pasted = z
  .string()
  .trim()
  .max(2_000, say("too_long"))
  .regex(/^[\x21-\x7e]*$/, say("malformed"));

/** The form of an account. An empty token keeps the saved one. */
export const connectionForm = z.object({
  storeId: pasted
    .max(200, say("too_long"))
    .min(1, say("missing"))
    .regex(/^(?!\.{1,2}$)/, say("malformed")),
  token: pasted.transform((text) => text || null),
  organisationToken: pasted.transform((text) => text || null),
});

/** The form of an account that is not connected yet, so there is no saved token. */
export const firstConnectionForm = connectionForm.extend({ token: pasted.min(1, say("token_missing")) });

/** The URL of the merchant's account at the insurer; null: not entered. */
export const accountAddressForm = z.object({
  accountUrl: pasted.refine((text) => text === "" || isHttps(text)).transform((text) => text || null),
});

function isHttps(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === "https:";
}

/** The merchant knows what happens to the plans of the store that this one replaces. */
export const otherStoreAgreed = z
  .literal("yes")
  .optional()
  .transform((value) => value === "yes");

/** The merchant says that the token is the test environment's: where both have one address, no call can tell. */
export const testTokenConfirmed = otherStoreAgreed;
export type ConnectionForm = z.infer<typeof connectionForm>;
export type ConnectionField = keyof ConnectionForm;

/**
 * The result of a real call with an account; `reason` describes the failed call. `unreachable`: there was no usable
 * response, and `hasResponded` says whether there was one at all.
 */
export type CheckResult =
  | { state: "accepted" }
  | { state: "refused" | "unknown_store"; reason: string }
  | { state: "unreachable"; reason: string; hasResponded: boolean };

/**
 * `other_environment`: the token belongs to the other account, or the insurer accepts it only at the other URL. The
 * organisation's token is checked apart: `organisation_refused` and `organisation_unchecked` say that the store is
 * connected. A refused token is not saved; one that could not be checked is.
 */
export type ConnectResult =
  | CheckResult
  | { state: "token_needed" | "other_environment" | "token_unconfirmed" }
  | { state: "organisation_refused" | "organisation_unchecked"; reason: string };

/** Whether the account of the store was saved. */
export const isStoreConnected = ({ state }: { state: string }): boolean =>
  ["accepted", "organisation_refused", "organisation_unchecked"].includes(state);
