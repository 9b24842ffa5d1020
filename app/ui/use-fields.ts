import type { FormEvent, RefObject } from "react";
import { useState, useEffect } from "react";
import type { FieldProblems } from "#app/platform/field-problems.ts";
import type { ActionResult } from "./action-result.ts";
import { isSame } from "./use-draft.ts";

interface Options<Field extends string, Problem extends string> {
  initial: Record<Field, string>;
  /** The problems of the typed values, by the same rules as the action's; empty if there are none. */
  validate: (values: Record<Field, string>) => FieldProblems<Field, Problem>;
  /** the problems in the action's last answer, which may know more than the browser */
  result: ActionResult<unknown, string, Field, Problem> | undefined;
  messageOf: (problem: Problem, field: Field) => string;
}

/**
 * The fields of a form: the typed values, and their problems before and after sending. `bind("email")` gives a Polaris
 * field its name, value, change handler and message. `onSubmit` stops a form with problems.
 */
export function useFields<Field extends string, Problem extends string>(options: Options<Field, Problem>) {
  const { initial, validate, result, messageOf } = options;
  const [values, setValues] = useState(initial);
  const [found, setFound] = useState<FieldProblems<Field, Problem> | null>(null);
  // A field's problem stays until the field changes.
  const [changed, setChanged] = useState<ReadonlySet<Field>>(new Set());
  const refused = found ?? (result?.state === "invalid" ? result.problems : null);
  const isRefused =
    refused !== null && Object.keys(refused).some((name) => ![...changed].some((field) => field === name));
  const set = (field: Field, value: string) => {
    setValues((now) => ({ ...now, [field]: value }));
    setChanged((now) => new Set(now).add(field));
  };
  /** Shows the problems of all fields; true: there are none. */
  const check = () => {
    const next = validate(values);
    setChanged(new Set());
    const isFine = Object.keys(next).length === 0;
    setFound(isFine ? null : next);
    return isFine;
  };
  const problemOf = (field: Field) => (changed.has(field) ? undefined : refused?.[field]);
  return {
    values,
    set,
    /** a value differs from `initial` */
    isChanged: !isSame(values, initial),
    reset: () => {
      setValues(initial);
      setFound(null);
      setChanged(new Set());
    },
    /** problems in the last submission; null: none */
    refused,
    /** some of them are still unchanged */
    isRefused,
    /** a field's problem, unless the field has changed since */
    problemOf,
    bind: (field: Field) => {
      const problem = problemOf(field);
      return {
        name: field,
        value: values[field],
        onChange: (value: string) => set(field, value),
        error: problem && messageOf(problem, field),
        autoComplete: "off",
      };
    },
    /** for a button that sends the fields with another intent than the form's */
    check,
    onSubmit: (event: FormEvent) => {
      if (!check()) event.preventDefault();
    },
  };
}

/** Moves the focus to the first field with a problem, which may be out of sight. */
export function useFocusInvalidField(form: RefObject<HTMLElement | null>, problems: object | null): void {
  useEffect(() => {
    if (problems === null) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-problem] button")?.focus();
  }, [form, problems]);
}
