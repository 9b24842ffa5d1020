import { FormLayout, Select, TextField } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { StorefrontTexts } from "#app/offers/storefront-settings.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import type { DefaultTexts } from "./default-texts.ts";
import type { DraftProps } from "./draft.ts";

const languages = [
  ["fr", "Français"],
  ["en", "English"],
  ["de", "Deutsch"],
  ["es", "Español"],
  ["it", "Italiano"],
  ["nl", "Nederlands"],
  ["pt", "Português"],
] as const;

const fields = [
  ["headline", 500],
  ["link", 500],
  ["buy", 500],
  ["decline", 500],
  ["modal_headline", 500],
  ["modal_link", 500],
  ["cart_heading", 500],
  ["cart_button", 500],
  ["consent", 2_000],
  ["legal", 2_000],
] as const satisfies [keyof StorefrontTexts, number][];

interface Props extends DraftProps {
  defaults: DefaultTexts;
  language: string;
  onLanguage: (language: string) => void;
}

/** The merchant's own words, by the language of the shop. */
export function TextsCard({ draft, onChange, defaults, language, onLanguage }: Props) {
  const { t } = useTranslation("touchpoints");
  const own = draft.texts[language] ?? {};
  function change(field: keyof StorefrontTexts, value: string) {
    const texts = without({ ...own, [field]: value }, (text) => text === "");
    const all = { ...draft.texts, [language]: texts };
    onChange({ ...draft, texts: without(all, (one) => Object.keys(one).length === 0) });
  }
  return (
    <TitledCard title={t("texts.title")} help={t("texts.help")}>
      <FormLayout>
        <Select
          label={t("texts.language")}
          value={language}
          options={languages.map(([value, name]) => ({
            value,
            label: draft.texts[value] ? `${name} (${t("texts.own")})` : name,
          }))}
          onChange={onLanguage}
        />
        {fields.map(([field, length]) => (
          <TextField
            key={field}
            label={t(`texts.field.${field}`)}
            value={own[field] ?? ""}
            placeholder={defaults[field]}
            onChange={(value) => change(field, value)}
            maxLength={length}
            multiline={length > 500 ? 3 : false}
            autoComplete="off"
          />
        ))}
      </FormLayout>
    </TitledCard>
  );
}

/** Without the entries that hold nothing. */
function without<T>(entries: Record<string, T>, isNothing: (value: T) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => !isNothing(value)));
}
