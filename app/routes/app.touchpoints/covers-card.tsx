import { BlockStack, Button, FormLayout, InlineStack, Select, Text, TextField } from "@shopify/polaris";
import { PlusIcon } from "@shopify/polaris-icons";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { coverNames, risks } from "#app/offers/cover-names.ts";
import type { Cover } from "#app/offers/storefront-settings.ts";
import type { CategoryTexts } from "#app/offers/text-gaps.ts";
import { readLanguage } from "#app/platform/locale.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import type { DraftProps } from "./draft.ts";

interface Props extends DraftProps {
  categories: readonly CategoryTexts[];
  /** the name of the category that the preview shows */
  first: string | undefined;
  language: string;
}

/** By whom, what is covered and what is not: the latter two by category, in the language that the texts are edited in. */
export function CoversCard({ categories, first, language, draft, onChange }: Props) {
  const { t } = useTranslation("touchpoints");
  const [chosen, setChosen] = useState((categories.find(({ name }) => name === first) ?? categories[0])?.key);
  const category = categories.find(({ key }) => key === chosen);
  const cover = draft.covers[language]?.[chosen ?? ""] ?? { bullets: [], exclusions: [] };
  const speaks = readLanguage(language);
  const serviceBullets = language === draft.language ? (category?.bullets ?? []) : [];
  function change(next: Partial<Cover>) {
    if (chosen === undefined) return;
    const covers = { ...draft.covers[language], [chosen]: { ...cover, ...next } };
    onChange({ ...draft, covers: { ...draft.covers, [language]: covers } });
  }
  const lines = (value: string) => (value === "" ? [] : value.split("\n"));
  const suggested =
    speaks === null
      ? []
      : risks.map((risk) => coverNames[speaks][risk]).filter((name) => !cover.bullets.includes(name));
  return (
    <TitledCard title={t("covers.title")} help={t("covers.help")}>
      <FormLayout>
        <TextField
          label={t("covers.insurer")}
          helpText={t("covers.insurerHelp")}
          value={draft.insurer}
          onChange={(insurer) => onChange({ ...draft, insurer })}
          maxLength={100}
          autoComplete="off"
        />
        {categories.length > 1 && (
          <Select
            label={t("covers.category")}
            value={chosen ?? ""}
            options={categories.map(({ key, name }) => ({ value: key, label: name }))}
            onChange={setChosen}
          />
        )}
        {category && (
          <BlockStack gap="200">
            <TextField
              label={t("texts.field.bullets")}
              helpText={t("covers.perLine")}
              value={cover.bullets.join("\n")}
              placeholder={serviceBullets.join("\n")}
              onChange={(value) => change({ bullets: lines(value) })}
              maxLength={2_000}
              multiline={3}
              autoComplete="off"
            />
            {suggested.length > 0 && (
              <InlineStack gap="200" blockAlign="center">
                <Text as="span" tone="subdued">
                  {t("covers.suggested")}
                </Text>
                {suggested.map((name) => (
                  <Button
                    key={name}
                    icon={PlusIcon}
                    size="slim"
                    onClick={() => change({ bullets: [...cover.bullets.filter(Boolean), name] })}
                  >
                    {name}
                  </Button>
                ))}
              </InlineStack>
            )}
          </BlockStack>
        )}
        {category && (
          <TextField
            label={t("covers.exclusions")}
            helpText={t("covers.exclusionsHelp")}
            value={cover.exclusions.join("\n")}
            onChange={(value) => change({ exclusions: lines(value) })}
            maxLength={2_000}
            multiline={3}
            autoComplete="off"
          />
        )}
      </FormLayout>
    </TitledCard>
  );
}
