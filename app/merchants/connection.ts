/** A merchant's accounts at the insurance service: states, form and results, for server and browser. */
import { z } from "zod";

export const environments = ["test", "production"] as const;
export type Environment = (typeof environments)[number];
export const environment = z.enum(environments);

/** The last check: the service accepted the token, refused it, or did not answer. */
export const connectionStates = ["accepted", "refused", "unreachable"] as const;
export type ConnectionState = (typeof connectionStates)[number];
export const connectionState = z.enum(connectionStates);

/** A connection without its tokens, for a page. */
export interface ConnectionView {
  environment: Environment;
  storeId: string;
  tokenSetAt: Date;
  organisationTokenSetAt: Date | null;
  checkedAt: Date;
  state: ConnectionState;
}

/** Problems of a field; they are keys of its message. */
const fieldProblem = z.enum(["missing", "malformed", "too_long"]);
export type FieldProblem = z.infer<typeof fieldProblem>;

// Pasted text has spaces and line breaks around it. Ids and tokens are printable ASCII: a token is sent in a header,
// the store id in a path.
const pasted = z
  .string()
  .trim()
  .max(2_000, "too_long" satisfies FieldProblem)
  .regex(/^[\x21-\x7e]*$/, "malformed" satisfies FieldProblem);

/** The form of one environment. An empty token keeps the saved one. */
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

/** The result of a real call with an account; `reason` describes the failed call. */
export type CheckResult =
  { state: "accepted" } | { state: "refused" | "unknown_store" | "unreachable"; reason: string };

export type ConnectResult =
  CheckResult | { state: "token_needed" } | { state: "organisation_refused"; reason: string };
