/** @jsxImportSource preact */

/** Where Shopify does not say who sells. */
export function SellerField({
  label,
  value,
  onInput,
}: {
  label: string;
  value: string;
  onInput: (name: string) => void;
}) {
  return (
    <s-text-field
      label={label}
      value={value}
      maxLength={200}
      onInput={(event: Event) => onInput(valueOf(event))}
    />
  );
}

/** The component's events have the component as their target, with its value. */
export function valueOf({ currentTarget }: Event): string {
  return currentTarget !== null && "value" in currentTarget ? String(currentTarget.value) : "";
}
