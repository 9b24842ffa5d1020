/**
 * What every action of the admin answers: it is done, fields have to be corrected, or it cannot be done and why. A
 * request that no page makes gets a 400 instead (app/platform/form.server.ts).
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
  /** key of the message that says why */
  reason: Reason;
  /** what the other side said, in its own words */
  detail: string | null;
}

/** The parts that an action never answers are left out: `ActionResult<null, "conflict">` has no field problems. */
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
