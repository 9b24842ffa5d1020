/** @jsxImportSource preact */

/** A field for the seller's name, if Shopify does not name the staff member. */
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

/** The target of the component's events is the component itself, with its value. */
export function valueOf({ currentTarget }: Event): string {
  return currentTarget !== null && "value" in currentTarget ? String(currentTarget.value) : "";
}
