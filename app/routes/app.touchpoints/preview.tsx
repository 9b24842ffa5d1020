import {
  Banner,
  BlockStack,
  Button,
  ButtonGroup,
  Card,
  InlineStack,
  SkeletonBodyText,
  Text,
} from "@shopify/polaris";
import { useState } from "react";
import type { SyntheticEvent } from "react";
import { useTranslation } from "react-i18next";
import type { PreviewSample } from "#app/offers/preview/sample.ts";
import type { StorefrontTouchpoint } from "#app/offers/storefront-choices.ts";
import type { StorefrontSettings } from "#app/offers/storefront-settings.ts";
import styles from "./preview.module.css";
import { usePreviewHtml } from "./use-preview-html.ts";

interface Props {
  name: StorefrontTouchpoint;
  draft: StorefrontSettings;
  language: string;
  sample: PreviewSample | null;
}

/** How shoppers see the touchpoint with what is being changed, on a desktop or a phone. */
export function Preview({ name, draft, language, sample }: Props) {
  const { t } = useTranslation(["touchpoints", "common"]);
  const [device, setDevice] = useState<"desktop" | "mobile">("desktop");
  const { html, failed, retry } = usePreviewHtml(name, language, draft);
  const title = t("preview.title", { place: t(`name.${name}`) });
  return (
    <Card>
      <BlockStack gap="200">
        <InlineStack align="space-between" blockAlign="center">
          <Text as="h2" variant="headingMd">
            {title}
          </Text>
          <ButtonGroup variant="segmented">
            {(["desktop", "mobile"] as const).map((one) => (
              <Button key={one} size="slim" pressed={device === one} onClick={() => setDevice(one)}>
                {t(`preview.${one}`)}
              </Button>
            ))}
          </ButtonGroup>
        </InlineStack>
        {failed && (
          <Banner tone="warning" action={{ content: t("common:action.retry"), onAction: retry }}>
            <Text as="p">{t("preview.failed")}</Text>
          </Banner>
        )}
        <div className={styles.stage}>
          {html === null ? (
            !failed && <SkeletonBodyText lines={8} />
          ) : (
            // Nothing in it can run, submit or lead away; the page may only measure it.
            <iframe
              title={title}
              className={device === "mobile" ? styles.mobile : styles.desktop}
              sandbox="allow-same-origin"
              srcDoc={html}
              onLoad={fitHeight}
            />
          )}
        </div>
        <Text as="p" variant="bodySm" tone="subdued">
          {sample ? t("preview.hint", { category: sample.category.id }) : t("preview.none")}
        </Text>
      </BlockStack>
    </Card>
  );
}

/** Keeps the frame as high as its content: text wraps again when the frame gets narrower. */
function fitHeight({ currentTarget: frame }: SyntheticEvent<HTMLIFrameElement>): void {
  const body = frame.contentDocument?.body;
  if (!body) return;
  new ResizeObserver(() => {
    frame.style.height = `${Math.ceil(body.getBoundingClientRect().height)}px`;
  }).observe(body);
}
