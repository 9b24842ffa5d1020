import type { z } from "zod";

/** What is wrong with the fields of a form, as keys of messages; a field without a problem is left out. */
export type FieldProblems<Field extends string, Problem extends string> = Partial<Record<Field, Problem>>;

/**
 * The first problem of each field, from a failed parse.
 * @param known the problems that the schema has as its messages. The first of them replaces the schema library's own
 * messages, about a value that is absent or of another type.
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
