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
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PreviewSample } from "#app/offers/preview/sample.ts";
import type { StorefrontTouchpoint } from "#app/offers/storefront-choices.ts";
import { type StorefrontSettings, storefrontSettings } from "#app/offers/storefront-settings.ts";
import styles from "./preview.module.css";
import { Permitted } from "#app/ui/permitted.tsx";

interface PreviewProps {
  name: StorefrontTouchpoint;
  draft: StorefrontSettings;
  language: string;
  sample: PreviewSample | null;
}

/** The touchpoint with the unsaved changes as shoppers see it, on a desktop or a phone. */
export function Preview({ name, draft, language, sample }: PreviewProps) {
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
            // The sandbox prevents scripts, forms and links; the page may only measure the frame's content.
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

/** Sets the frame's height to its content's: text wraps again in a narrower frame. */
function fitHeight({ currentTarget: frame }: SyntheticEvent<HTMLIFrameElement>): void {
  const body = frame.contentDocument?.body;
  if (!body) return;
  new ResizeObserver(() => {
    frame.style.height = `${Math.ceil(body.getBoundingClientRect().height)}px`;
  }).observe(body);
}

/** The preview updates after this pause in typing. */
const DEBOUNCE_MS = 250;

interface PreviewHtml {
  /** null before the first preview has loaded */
  html: string | null;
  /** the last preview request failed */
  failed: boolean;
  retry: () => void;
}

/**
 * The server renders the touchpoint with these settings as an HTML page. The last valid page stays while a setting is
 * invalid.
 */
function usePreviewHtml(
  touchpoint: StorefrontTouchpoint,
  language: string,
  settings: StorefrontSettings,
): PreviewHtml {
  const [html, setHtml] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  const isFirst = useRef(true);
  const wanted = storefrontSettings.safeParse(settings).success
    ? JSON.stringify({ touchpoint, language, settings })
    : null;
  useEffect(() => {
    if (wanted === null) return;
    const controller = new AbortController();
    const load = () => {
      isFirst.current = false;
      setFailed(false);
      loadPreview(wanted, controller.signal).then(setHtml, (error: unknown) => {
        if (controller.signal.aborted) return;
        console.warn(error);
        setFailed(true);
      });
    };
    const timer = setTimeout(load, isFirst.current ? 0 : DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [wanted, tries]);
  return { html, failed, retry: () => setTries((before) => before + 1) };
}

/** Not with a fetcher: it would reload the page's own data, and a preview changes none. */
async function loadPreview(body: string, signal: AbortSignal): Promise<string> {
  const headers = { "content-type": "application/json" };
  const response = await fetch("/app/touchpoints/preview", { method: "POST", headers, body, signal });
  if (!response.ok) throw new Error(`The preview answered ${response.status}`);
  return response.text();
}

interface PlaceLayoutProps {
  /** switches and placement */
  head: ReactNode;
  preview: ReactNode;
  /** further settings */
  children?: ReactNode;
}

/** On a wide window the preview stays in view beside the settings; on a phone it is between them. */
export function PlaceLayout({ head, preview, children }: PlaceLayoutProps) {
  return (
    <div className={styles.place}>
      <BlockStack gap="400">
        <Permitted>{head}</Permitted>
      </BlockStack>
      <div className={styles.preview}>{preview}</div>
      <BlockStack gap="400">
        <Permitted>{children}</Permitted>
      </BlockStack>
    </div>
  );
}
