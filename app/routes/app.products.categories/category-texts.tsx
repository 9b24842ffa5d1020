import { BlockStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Category } from "#app/insurance/categories.ts";
import { isLink } from "#app/catalogue/references/reference.ts";
import { StackedKeyValueList } from "#app/ui/details.tsx";

/** The texts outside of the dialog, and the documents. */
export function CategoryTexts({ category }: { category: Category }) {
  const { t } = useTranslation("products");
  const { buttons, modal, cart } = category.marketing;
  const { conditionsUrl: conditions, ipidUrl: ipid } = category.legal;
  const link = (address: string) =>
    isLink(address) ? (
      <Link url={address} target="_blank">
        {address}
      </Link>
    ) : (
      <Text as="span" tone={address === "" ? "subdued" : "critical"} breakWord>
        {address === "" ? t("categories.missing") : t("categories.noLink", { address })}
      </Text>
    );
  const text = (given: string) => given || t("categories.missing");
  return (
    <BlockStack gap="200">
      <StackedKeyValueList
        items={[
          [t("categories.text.headline"), text(buttons.headline)],
          [t("categories.text.link"), text(buttons.linkText)],
          [t("categories.text.cart"), text(cart.buttonText)],
          [t("categories.text.conditions"), link(conditions)],
          [t("categories.text.ipid"), link(ipid)],
          [t("categories.text.page"), link(modal.marketingPageUrl)],
        ]}
      />
      <Text as="p" tone="subdued">
        {t("categories.own")} <Link url="/app/touchpoints">{t("categories.touchpoints")}</Link>
      </Text>
    </BlockStack>
  );
}
