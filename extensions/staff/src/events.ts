/** The components' events have the component as their target, with its value. */
export function valueOf({ currentTarget }: Event): string {
  return currentTarget !== null && "value" in currentTarget ? String(currentTarget.value) : "";
}
export function choicesOf({ currentTarget }: Event): string[] {
  const values: unknown =
    currentTarget !== null && "values" in currentTarget ? currentTarget.values : undefined;
  return Array.isArray(values) ? values.map(String) : [];
}
