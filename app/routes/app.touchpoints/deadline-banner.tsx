import { Banner, Link, List, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { withdrawalDaysIn } from "#app/offers/text-gaps.ts";
import type { CategoryTexts } from "#app/offers/text-gaps.ts";
import type { StorefrontSettings } from "#app/offers/storefront-settings.ts";
import { languageName } from "./text-fields.ts";

interface Props {
  draft: StorefrontSettings;
  categories: readonly CategoryTexts[];
  /** of the setting; 0: customers do not withdraw on the order's page, and offers name no days */
  days: number;
}

/** Legal texts that give another time to withdraw than the setting, which every offer names. */
export function DeadlineBanner({ draft, categories, days }: Props) {
  const { t } = useTranslation("touchpoints");
  const texts = [
    ...categories.map(({ name, legal }) => ({ name, legal })),
    ...Object.entries(draft.texts).map(([language, { legal }]) => ({
      name: t("deadline.own", { language: languageName(language) }),
      legal: legal ?? "",
    })),
  ];
  const others = texts.flatMap(({ name, legal }) => {
    const named = [...new Set(withdrawalDaysIn(legal))].filter((count) => count !== days);
    return named.length > 0 ? [{ name, days: named.join(", ") }] : [];
  });
  if (days === 0 || others.length === 0) return null;
  return (
    <Banner tone="warning" title={t("deadline.title")}>
      <Text as="p">{t("deadline.body", { count: days })}</Text>
      <List>
        {others.map(({ name, days: named }) => (
          <List.Item key={name}>{t("deadline.text", { name, days: named })}</List.Item>
        ))}
      </List>
      <Link url="/app/settings">{t("deadline.action")}</Link>
    </Banner>
  );
}
