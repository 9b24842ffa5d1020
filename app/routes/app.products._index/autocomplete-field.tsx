import { Autocomplete } from "@shopify/polaris";
import { MAX_CONDITION_TEXT } from "#app/catalogue/product-categories/product-choices.ts";

interface Props {
  label: string;
  value: string;
  /** what the shop has */
  known: string[];
  error: string | undefined;
  onChange: (value: string) => void;
}

const SHOWN = 20;

/** A text field that offers what the shop has; other words are allowed too. */
export function AutocompleteField({ label, value, known, error, onChange }: Props) {
  const options = known
    .filter((each) => each !== "" && each.toLowerCase().includes(value.trim().toLowerCase()))
    .slice(0, SHOWN)
    .map((each) => ({ value: each, label: each }));
  return (
    <Autocomplete
      options={options}
      selected={[value]}
      onSelect={([chosen]) => {
        if (chosen !== undefined) onChange(chosen);
      }}
      textField={
        <Autocomplete.TextField
          label={label}
          value={value}
          onChange={onChange}
          error={error}
          maxLength={MAX_CONDITION_TEXT}
          autoComplete="off"
        />
      }
    />
  );
}
