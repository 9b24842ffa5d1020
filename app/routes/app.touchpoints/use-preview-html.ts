import { useEffect, useRef, useState } from "react";
import { storefrontSettings } from "#app/offers/storefront-settings.ts";
import type { StorefrontTouchpoint } from "#app/offers/storefront-choices.ts";
import type { StorefrontSettings } from "#app/offers/storefront-settings.ts";

/** The preview follows after this long without typing. */
const DEBOUNCE_MS = 250;

interface PreviewHtml {
  /** null until the first page is there */
  html: string | null;
  /** the last requested page did not arrive */
  failed: boolean;
  retry: () => void;
}

/**
 * The touchpoint with these settings as an HTML page, from the server. While settings are not valid, the last page
 * stays.
 */
export function usePreviewHtml(
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

/** Not with a fetcher: a submitted form reloads the page's own data, and a preview changes none of it. */
async function loadPreview(body: string, signal: AbortSignal): Promise<string> {
  const headers = { "content-type": "application/json" };
  const response = await fetch("/app/touchpoints/preview", { method: "POST", headers, body, signal });
  if (!response.ok) throw new Error(`The preview answered ${response.status}`);
  return response.text();
}
