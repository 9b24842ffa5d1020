import type { RefObject } from "react";
import { useEffect } from "react";

/** Brings whoever sent a form to the first field that has a problem, which may be out of sight. */
export function useFocusInvalidField(form: RefObject<HTMLElement | null>, problems: object | null): void {
  useEffect(() => {
    if (problems === null) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-problem] button")?.focus();
  }, [form, problems]);
}
