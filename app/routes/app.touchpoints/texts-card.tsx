import { Banner, FormLayout, Select, TextField } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { missingTexts } from "#app/offers/storefront-settings.ts";
import type { StorefrontTexts } from "#app/offers/storefront-settings.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import type { DefaultTexts } from "./default-texts.ts";
import type { DraftProps } from "./draft.ts";
import { languageName, languages, textFields, textOf } from "./text-fields.ts";

interface Props extends DraftProps {
  /** the texts of this page, in the order of the form */
  fields: readonly (keyof StorefrontTexts)[];
  defaults: DefaultTexts;
  language: string;
  onLanguage: (language: string) => void;
}

/** The merchant's own words, by the language of the shop. */
export function TextsCard({ fields, draft, onChange, defaults, language, onLanguage }: Props) {
  const { t } = useTranslation("touchpoints");
  const own = draft.texts[language] ?? {};
  const say = (fields: (keyof StorefrontTexts)[]) =>
    fields.map((field) => t(`texts.field.${field}`)).join(", ");
  const missing = missingTexts(draft, language);
  function change(field: keyof StorefrontTexts, text: string) {
    const value = field === "bullets" && text !== "" ? text.split("\n") : text;
    const texts = without({ ...own, [field]: value }, (each) => each === "");
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
          options={languages.map(([value, label]) => ({ value, label }))}
          onChange={(code) => onChange({ ...draft, language: code })}
        />
        <Select
          label={t("texts.language")}
          value={language}
          options={languages.map(([value, label]) => {
            const lacks = missingTexts(draft, value);
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
              value={textOf(own, field)}
              {...(field === "bullets" ? { helpText: t("texts.bulletsHelp") } : {})}
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
