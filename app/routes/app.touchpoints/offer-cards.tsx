import {
  Banner,
  BlockStack,
  Button,
  FormLayout,
  InlineStack,
  Link,
  List,
  Select,
  Text,
  TextField,
} from "@shopify/polaris";
import { ArrowDownIcon, ArrowUpIcon, PlusIcon } from "@shopify/polaris-icons";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { riskNames } from "#app/locales/customers/index.server.ts";
import type { PreviewSample } from "#app/offers/preview/sample.ts";
import type { Cover, StorefrontSettings, StorefrontTexts } from "#app/offers/storefront-settings.ts";
import { orderedTerms } from "#app/offers/term-order.ts";
import { acceptUsualRisks, languagesWithoutCover, risksIn } from "#app/offers/usual-risks.ts";
import {
  type CategoryTexts,
  type FormulaTexts,
  type MissingText,
  missingTexts,
  withdrawalDaysIn,
} from "#app/offers/text-gaps.ts";
import { languages, readLanguage } from "#app/platform/locale.ts";
import { settingsAddress } from "#app/ui/settings-parts.ts";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import {
  type DefaultTexts,
  describedParts,
  type DraftProps,
  languageInSentence,
  languageName,
  textFields,
  writableLanguages,
} from "./touchpoint-settings.ts";

interface DeadlineBannerProps {
  draft: StorefrontSettings;
  categories: readonly CategoryTexts[];
  /** of the setting */
  days: number;
}

/** Legal texts that state another withdrawal period than the setting. Every offer names the setting. */
export function DeadlineBanner({ draft, categories, days }: DeadlineBannerProps) {
  const { t } = useTranslation("touchpoints");
  const { locale } = useShop();
  const texts = [
    ...categories.map(({ name, legal }) => ({ name, legal })),
    ...Object.entries(draft.texts).map(([language, { legal }]) => ({
      name: t("deadline.own", { language: languageInSentence(language, locale) }),
      legal: legal ?? "",
    })),
  ];
  const others = texts.flatMap(({ name, legal }) => {
    const named = [...new Set(withdrawalDaysIn(legal))].filter((count) => count !== days);
    return named.length > 0 ? [{ name, days: named.join(", ") }] : [];
  });
  if (others.length === 0) return null;
  return (
    <Banner tone="warning" title={t("deadline.title")}>
      <Text as="p">{t("deadline.body", { count: days })}</Text>
      <List>
        {others.map(({ name, days: named }) => (
          <List.Item key={name}>{t("deadline.text", { name, days: named })}</List.Item>
        ))}
      </List>
      <Link url={settingsAddress("returns")}>{t("deadline.action")}</Link>
    </Banner>
  );
}

interface TextsCardProps extends DraftProps {
  defaults: DefaultTexts;
  categories: readonly CategoryTexts[];
  language: string;
  onLanguage: (language: string) => void;
}

/** The merchant's own texts, by language of the shop. */
export function TextsCard({ draft, onChange, defaults, categories, language, onLanguage }: TextsCardProps) {
  const { t } = useTranslation("touchpoints");
  const { locale } = useShop();
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
          label={t("texts.insurer")}
          helpText={t("texts.insurerHelp")}
          value={draft.language}
          options={languages.map((value) => ({ value, label: languageName(value) }))}
          onChange={(code) => onChange({ ...draft, language: code })}
        />
        <Select
          label={t("texts.language")}
          value={language}
          options={writableLanguages(draft, language).map((value) => {
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
              language: languageInSentence(language, locale),
              source: languageInSentence(draft.language, locale),
            })}
            {missing.includes("legal") &&
              ` ${t("texts.missingLegal", { source: languageInSentence(draft.language, locale) })}`}
          </Banner>
        )}
        {textFields.map(([field, length]) => (
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

/** Removes the empty entries. */
function without<T>(entries: Record<string, T>, isNothing: (value: T) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => !isNothing(value)));
}

interface CoversCardProps extends DraftProps {
  categories: readonly FormulaTexts[];
  /** the name of the category that the preview shows */
  first: string | undefined;
  language: string;
  /** names of the usual risks, as suggestions */
  risks: typeof riskNames;
}

/**
 * The insurer's name, address and contact for complaints, and the covered and excluded risks by category, or by formula if there are several. The texts are
 * in the selected language.
 */
export function CoversCard({ categories, first, language, risks, draft, onChange }: CoversCardProps) {
  const { t } = useTranslation("touchpoints");
  const [chosen, setChosen] = useState((categories.find(({ name }) => name === first) ?? categories[0])?.key);
  const described = categories.flatMap(describedParts);
  const category = described.find(({ key }) => key === chosen);
  const cover = draft.covers[language]?.[chosen ?? ""] ?? { bullets: [], exclusions: [] };
  const speaks = readLanguage(language);
  const insurerBullets = language === draft.language ? (category?.bullets ?? []) : [];
  function change(next: Partial<Cover>) {
    if (chosen === undefined) return;
    const covers = { ...draft.covers[language], [chosen]: { ...cover, ...next } };
    onChange({ ...draft, covers: { ...draft.covers, [language]: covers } });
  }
  const lines = (value: string) => (value === "" ? [] : value.split("\n"));
  const { locale } = useShop();
  const lacking = category ? languagesWithoutCover(draft, category) : [];
  const suggested =
    speaks === null ? [] : Object.values(risks[speaks]).filter((name) => !cover.bullets.includes(name));
  return (
    <TitledCard title={t("covers.title")} help={t("covers.help")}>
      <FormLayout>
        <TextField
          id="insurer"
          label={t("covers.insurer")}
          helpText={t("covers.insurerHelp")}
          value={draft.insurer}
          onChange={(insurer) => onChange({ ...draft, insurer })}
          maxLength={100}
          autoComplete="off"
        />
        <TextField
          id="insurer_address"
          label={t("covers.insurerAddress")}
          helpText={t("covers.insurerAddressHelp")}
          value={draft.insurer_address}
          onChange={(address) => onChange({ ...draft, insurer_address: address })}
          maxLength={300}
          autoComplete="off"
        />
        <TextField
          id="complaints"
          label={t("covers.complaints")}
          helpText={t("covers.complaintsHelp")}
          value={draft.complaints}
          onChange={(complaints) => onChange({ ...draft, complaints })}
          maxLength={300}
          autoComplete="off"
        />
        {described.length > 1 && (
          <Select
            label={t("covers.category")}
            value={chosen ?? ""}
            options={described.map(({ key, label }) => ({ value: key, label }))}
            onChange={setChosen}
          />
        )}
        {category?.formula !== undefined && (
          <TextField
            label={t("covers.name")}
            helpText={t("covers.nameHelp")}
            value={cover.name ?? ""}
            placeholder={category.formula}
            onChange={(name) => change({ name: name === "" ? undefined : name })}
            maxLength={120}
            autoComplete="off"
          />
        )}
        {category && (
          <BlockStack gap="200">
            <TextField
              label={t("texts.field.bullets")}
              helpText={t("covers.perLine")}
              value={cover.bullets.join("\n")}
              placeholder={insurerBullets.join("\n")}
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
        {category && lacking.length > 0 && (
          <BlockStack gap="100" inlineAlign="start">
            <Button onClick={() => onChange(acceptUsualRisks(draft, category, risks))}>
              {t("covers.accept", {
                count: lacking.length,
                risks: new Intl.ListFormat(locale).format(
                  risksIn(category.bullets).map((risk) => risks[locale][risk]),
                ),
              })}
            </Button>
            <Text as="p" variant="bodySm" tone="subdued">
              {t("covers.acceptHelp")}
            </Text>
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
        {category &&
          (["excess", "limit"] as const).map((field) => (
            <TextField
              key={field}
              label={t(`covers.${field}`)}
              helpText={t(`covers.${field}Help`)}
              value={cover[field] ?? ""}
              onChange={(value) => change({ [field]: value === "" ? undefined : value })}
              maxLength={500}
              autoComplete="off"
            />
          ))}
      </FormLayout>
    </TitledCard>
  );
}

/** The order of terms. It uses two buttons instead of dragging, because they work with a keyboard. */
export function TermOrderCard({ draft, onChange, sample }: DraftProps & { sample: PreviewSample | null }) {
  const { t } = useTranslation("touchpoints");
  const known = sample?.offers.map(({ termMonths }) => termMonths) ?? [];
  const terms = orderedTerms([...(known.length > 0 ? known : [12, 24, 36]), ...draft.terms], draft.terms);
  function move(index: number, by: 1 | -1) {
    const next = [...terms];
    const [moved] = next.splice(index, 1);
    if (moved !== undefined) next.splice(index + by, 0, moved);
    onChange({ ...draft, terms: next });
  }
  return (
    <TitledCard title={t("terms.title")} help={t("terms.help")}>
      {terms.map((months, index) => (
        <InlineStack key={months} align="space-between" blockAlign="center">
          <Text as="span">{t("preview.months", { count: months })}</Text>
          <InlineStack gap="100">
            <Button
              icon={ArrowUpIcon}
              variant="tertiary"
              disabled={index === 0}
              accessibilityLabel={t("terms.up", { months })}
              onClick={() => move(index, -1)}
            />
            <Button
              icon={ArrowDownIcon}
              variant="tertiary"
              disabled={index === terms.length - 1}
              accessibilityLabel={t("terms.down", { months })}
              onClick={() => move(index, 1)}
            />
          </InlineStack>
        </InlineStack>
      ))}
    </TitledCard>
  );
}
