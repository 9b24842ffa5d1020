/**
 * The answer of every admin action: done, invalid fields, or a refusal with its reason. An impossible request gets a
 * 400 instead (app/platform/form.server.ts).
 */
import type { FieldProblems } from "#app/platform/field-problems.ts";

interface Success<Value> {
  state: "success";
  value: Value;
}

interface Invalid<Field extends string, Problem extends string> {
  state: "invalid";
  problems: FieldProblems<Field, Problem>;
}

interface Refused<Reason extends string> {
  state: "refused";
  /** key of the message with the reason */
  reason: Reason;
  /** the message of the insurer or Shopify */
  detail: string | null;
}

/** Without the parts that an action never answers: `ActionResult<null, "conflict">` has no field problems. */
export type ActionResult<
  Value = null,
  Reason extends string = never,
  Field extends string = never,
  Problem extends string = string,
> =
  | Success<Value>
  | ([Reason] extends [never] ? never : Refused<Reason>)
  | ([Field] extends [never] ? never : Invalid<Field, Problem>);

export function success(): Success<null>;
export function success<const Value>(value: Value): Success<Value>;
export function success(value: unknown = null): Success<unknown> {
  return { state: "success", value };
}

export function invalid<Field extends string, Problem extends string>(
  problems: FieldProblems<Field, Problem>,
): Invalid<Field, Problem> {
  return { state: "invalid", problems };
}

export function refused<Reason extends string>(
  reason: Reason,
  detail: string | null = null,
): Refused<Reason> {
  return { state: "refused", reason, detail };
}
