import { Banner, Link, List } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { TextGap } from "#app/offers/text-gaps.ts";
import { useShop } from "./shop.tsx";

/** The languages of the shop without a text of what is covered, each with the link to its texts. */
export function TextGapsBanner({ gaps }: { gaps: readonly TextGap[] | null | undefined }) {
  const { t } = useTranslation("common");
  const { locale } = useShop();
  if (!gaps || gaps.length === 0) return null;
  const names = new Intl.DisplayNames(locale, { type: "language" });
  const nameOf = (language: string) => names.of(language) ?? language;
  const languages = new Intl.ListFormat(locale).format(gaps.map(({ language }) => nameOf(language)));
  return (
    <Banner tone="warning" title={t("textGaps.title", { languages })}>
      <List>
        {gaps.map(({ language, missing }) => (
          <List.Item key={language}>
            <Link url={`/app/touchpoints?place=texts&language=${language}#covers`}>
              {t("textGaps.write", { language: nameOf(language), count: missing.length })}
            </Link>
          </List.Item>
        ))}
      </List>
    </Banner>
  );
}
