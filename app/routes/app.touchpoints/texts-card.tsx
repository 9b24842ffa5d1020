import { Banner, FormLayout, Select, TextField } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { StorefrontTexts } from "#app/offers/storefront-settings.ts";
import { missingTexts } from "#app/offers/text-gaps.ts";
import type { CategoryTexts, MissingText } from "#app/offers/text-gaps.ts";
import { languages } from "#app/platform/locale.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import type { DefaultTexts } from "./default-texts.ts";
import type { DraftProps } from "./draft.ts";
import { languageName, textFields } from "./text-fields.ts";

interface Props extends DraftProps {
  /** the texts of this page, in the order of the form */
  fields: readonly (keyof StorefrontTexts)[];
  defaults: DefaultTexts;
  categories: readonly CategoryTexts[];
  language: string;
  onLanguage: (language: string) => void;
}

/** The merchant's own words, by the language of the shop. */
export function TextsCard({ fields, draft, onChange, defaults, categories, language, onLanguage }: Props) {
  const { t } = useTranslation("touchpoints");
  const own = draft.texts[language] ?? {};
  const say = (missing: MissingText[]) => missing.map((field) => t(`texts.field.${field}`)).join(", ");
  const missing = missingTexts(draft, language, categories);
  function change(field: keyof StorefrontTexts, text: string) {
    const texts = without({ ...own, [field]: text }, (each) => each === "");
    const all = { ...draft.texts, [language]: texts };
    onChange({ ...draft, texts: without(all, (one) => Object.keys(one).length === 0) });
  }
  return (
    <TitledCard title={t("texts.title")} help={t("texts.help")}>
      <FormLayout>
        <Select
          label={t("texts.service")}
          helpText={t("texts.serviceHelp")}
          value={draft.language}
          options={languages.map((value) => ({ value, label: languageName(value) }))}
          onChange={(code) => onChange({ ...draft, language: code })}
        />
        <Select
          label={t("texts.language")}
          value={language}
          options={languages.map((value) => {
            const label = languageName(value);
            const lacks = missingTexts(draft, value, categories);
            if (lacks.length > 0)
              return { value, label: `${label} (${t("texts.lacks", { texts: say(lacks) })})` };
            return { value, label: draft.texts[value] ? `${label} (${t("texts.own")})` : label };
          })}
          onChange={onLanguage}
        />
        {missing.length > 0 && (
          <Banner tone="warning" title={t("texts.missing", { texts: say(missing) })}>
            {t("texts.missingHelp", {
              language: languageName(language),
              service: languageName(draft.language),
            })}
            {missing.includes("legal") &&
              ` ${t("texts.missingLegal", { service: languageName(draft.language) })}`}
          </Banner>
        )}
        {textFields
          .filter(([field]) => fields.includes(field))
          .map(([field, length]) => (
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
