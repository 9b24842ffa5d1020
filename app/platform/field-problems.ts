import type { z } from "zod";

/** The problems of a form's fields, as keys of messages. Fields without a problem are missing. */
export type FieldProblems<Field extends string, Problem extends string> = Partial<Record<Field, Problem>>;

/**
 * The first problem of each field, from a failed parse.
 * @param known the problems that the schema uses as messages. The first one replaces the schema library's own
 * messages about a missing value or a wrong type
 */
export function fieldProblems<Form, Problem extends string>(
  error: z.ZodError<Form>,
  known: readonly [Problem, ...Problem[]],
): FieldProblems<keyof Form & string, Problem>;
export function fieldProblems({ issues }: z.ZodError, known: readonly [string, ...string[]]) {
  const first: FieldProblems<string, string> = {};
  for (const { path, message } of issues) {
    first[String(path[0])] ??= known.find((problem) => problem === message) ?? known[0];
  }
  return first;
}
