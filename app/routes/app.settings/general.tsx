import { BlockStack, Card, Link, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useShop } from "#app/ui/shop.tsx";

/** What follows from the shop or is set elsewhere: languages, markets, consent. */
export function General({ consent }: { consent: string }) {
  const { t } = useTranslation("settings");
  const { currency } = useShop();
  return (
    <>
      <Part title={t("languages.title")}>
        <Text as="p">{t("languages.admin")}</Text>
        <Text as="p">
          {t("languages.shop")} <Link url="/app/touchpoints">{t("languages.link")}</Link>
        </Text>
      </Part>
      <Part title={t("markets.title")}>
        <Text as="p">{t("markets.body", { currency })}</Text>
      </Part>
      <Part title={t("consent.title")}>
        <Text as="p">
          {t("consent.body", { version: consent })} <Link url="/app/touchpoints">{t("consent.link")}</Link>
        </Text>
      </Part>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd">
          {title}
        </Text>
        {children}
      </BlockStack>
    </Card>
  );
}
