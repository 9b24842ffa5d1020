import { Select } from "@shopify/polaris";
import { readLocale } from "#app/platform/locale.ts";
import type { Locale } from "#app/platform/locale.ts";

interface Props {
  label: string;
  value: Locale;
  onChange: (locale: Locale) => void;
}

/** A select of the languages of Parasol's own texts. */
export function LanguageSelect({ label, value, onChange }: Props) {
  return (
    <Select
      label={label}
      value={value}
      options={[
        { value: "fr", label: "Français" },
        { value: "en", label: "English" },
      ]}
      onChange={(chosen) => onChange(readLocale(chosen) ?? value)}
    />
  );
}
