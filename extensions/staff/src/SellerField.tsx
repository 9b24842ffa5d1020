/** @jsxImportSource preact */
import { valueOf } from "./events.ts";

/** Where the platform does not say who sells. */
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
