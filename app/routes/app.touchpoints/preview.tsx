import { BlockStack, Button, ButtonGroup, InlineStack, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PreviewSample } from "#app/offers/preview.server.ts";
import type { StorefrontSettings, StorefrontTouchpoint } from "#app/offers/storefront-settings.ts";
import { CartPreview } from "./cart-preview.tsx";
import type { DefaultTexts } from "./default-texts.ts";
import styles from "./preview.module.css";
import { ProductPreview } from "./product-preview.tsx";
import { usePreviewWords } from "./preview-words.ts";

interface Props {
  name: StorefrontTouchpoint;
  draft: StorefrontSettings;
  language: string;
  sample: PreviewSample | null;
  defaults: DefaultTexts;
}

/** How shoppers see the touchpoint with what is being changed, on a desktop or a phone. */
export function Preview({ name, draft, language, sample, defaults }: Props) {
  const { t } = useTranslation("touchpoints");
  const [device, setDevice] = useState<"desktop" | "mobile">("desktop");
  const words = usePreviewWords(sample, draft, language, defaults);
  return (
    <BlockStack gap="200">
      <InlineStack align="space-between" blockAlign="center">
        <Text as="h3" variant="headingSm">
          {t("preview.title")}
        </Text>
        <ButtonGroup variant="segmented">
          {(["desktop", "mobile"] as const).map((one) => (
            <Button key={one} size="slim" pressed={device === one} onClick={() => setDevice(one)}>
              {t(`preview.${one}`)}
            </Button>
          ))}
        </ButtonGroup>
      </InlineStack>
      <div className={styles.stage}>
        {/* A picture of the shop, not a part of the form: nothing in it can be reached or pressed. */}
        <div className={device === "mobile" ? styles.mobile : styles.desktop} {...{ inert: "" }} aria-hidden>
          {name === "product_page" ? (
            <ProductPreview words={words} format={draft.touchpoints.product_page.format} />
          ) : (
            <CartPreview words={words} drawer={name === "mini_cart"} />
          )}
        </div>
      </div>
      <Text as="p" variant="bodySm" tone="subdued">
        {sample ? t("preview.hint", { category: sample.category.id }) : t("preview.none")}
      </Text>
    </BlockStack>
  );
}
