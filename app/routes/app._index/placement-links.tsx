import { BlockStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { toCartSection } from "#app/offers/editor-links.ts";
import type { Placement } from "#app/offers/placement.ts";
import type { StorefrontTouchpoint } from "#app/offers/storefront-choices.ts";

interface Props {
  /** addresses of the theme editor that place the blocks */
  editors: Record<StorefrontTouchpoint, string>;
  placement: Placement | null | undefined;
}

const alsoPossible = ["cart", "mini_cart"] as const;

/** Where else the theme can show offers: whoever declined one on the product page sees it again there. */
export function PlacementLinks({ editors, placement }: Props) {
  const { t } = useTranslation("home");
  return (
    <BlockStack gap="100">
      <Text as="p" tone="subdued">
        {t("setup.place.also")}
      </Text>
      {alsoPossible.map((name) => (
        <Text key={name} as="p">
          {(placement?.placed[name].length ?? 0) > 0 ? (
            t(`setup.place.${name}.done`)
          ) : (
            <Link url={toCartSection(editors[name], placement?.cartSection)} target="_blank">
              {t(`setup.place.${name}.action`)}
            </Link>
          )}
        </Text>
      ))}
    </BlockStack>
  );
}
