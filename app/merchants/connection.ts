/**
 * The rules of a merchant's accounts at the insurance service, for both sides of the Connection page.
 */
import { z } from "zod";

export const environments = ["test", "production"] as const;
export type Environment = (typeof environments)[number];
export const environment = z.enum(environments);

/** What the service answered last: it took the token, it refused it, or it did not answer. */
export const connectionStates = ["accepted", "refused", "unreachable"] as const;
export type ConnectionState = (typeof connectionStates)[number];
export const connectionState = z.enum(connectionStates);

/** What a page may know of a connection: everything but the tokens. */
export interface ConnectionView {
  environment: Environment;
  storeId: string;
  tokenSetAt: Date;
  organisationTokenSetAt: Date | null;
  checkedAt: Date;
  state: ConnectionState;
}

/** What can be wrong with a field; the keys of its message. */
const fieldProblem = z.enum(["missing", "malformed", "too_long"]);
export type FieldProblem = z.infer<typeof fieldProblem>;

// Pasted texts come with spaces and line ends around them. Inside, an id or a token is printable ASCII: a token
// travels in a header, the store id in a path.
const pasted = z
  .string()
  .trim()
  .max(2_000, "too_long" satisfies FieldProblem)
  .regex(/^[\x21-\x7e]*$/, "malformed" satisfies FieldProblem);

/** The form of one environment. An empty token keeps the one that is set. */
export const connectionForm = z.object({
  environment,
  storeId: pasted
    .max(200, "too_long" satisfies FieldProblem)
    .min(1, "missing" satisfies FieldProblem)
    .regex(/^(?!\.{1,2}$)/, "malformed" satisfies FieldProblem),
  token: pasted.transform((text) => text || null),
  organisationToken: pasted.transform((text) => text || null),
});
export type ConnectionField = "storeId" | "token" | "organisationToken";
export type ConnectionProblems = Partial<Record<ConnectionField, FieldProblem>>;

/** The first problem of each field, from a failed parse of `connectionForm`. */
export function connectionProblems(error: z.ZodError<z.infer<typeof connectionForm>>): ConnectionProblems {
  const { fieldErrors } = z.flattenError(error, ({ message }) => fieldProblem.parse(message));
  return {
    storeId: fieldErrors.storeId?.[0],
    token: fieldErrors.token?.[0],
    organisationToken: fieldErrors.organisationToken?.[0],
  };
}

/** The result of a real call with an account; `reason` says how the call went. */
export type CheckResult =
  { state: "accepted" } | { state: "refused" | "unknown_store" | "unreachable"; reason: string };

export type ConnectResult =
  CheckResult | { state: "token_needed" } | { state: "organisation_refused"; reason: string };
