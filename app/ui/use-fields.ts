import { useState } from "react";

/**
 * The fields of a form: what was typed, what is wrong with it. `bind("email")` gives a Polaris field its value, its
 * change handler and its message.
 */
export function useFields<Name extends string>(
  initial: Record<Name, string>,
  messageOf: (name: Name) => string | undefined,
) {
  const [values, setValues] = useState(initial);
  const set = (name: Name, value: string) => setValues((now) => ({ ...now, [name]: value }));
  return {
    values,
    set,
    reset: () => setValues(initial),
    bind: (name: Name) => ({
      name,
      value: values[name],
      onChange: (value: string) => set(name, value),
      error: messageOf(name),
      autoComplete: "off",
    }),
  };
}
