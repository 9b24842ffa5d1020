import type { RefObject } from "react";
import { useEffect } from "react";

/** Brings whoever sent a form to the first field that has a problem, which may be out of sight. */
export function useFocusProblem(form: RefObject<HTMLFormElement | null>, problems: object): void {
  useEffect(() => {
    if (Object.keys(problems).length === 0) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-problem] button")?.focus();
  }, [form, problems]);
}
