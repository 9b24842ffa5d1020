import { useFetcher, useNavigation, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { refusalIn } from "#app/merchants/permissions.ts";
import { isUnanswered } from "./client-action.ts";
import { useErrorBanner } from "./error-banner.tsx";

/**
 * The fetcher of every form and button that changes something. Where the member of staff may not do it, or no answer came,
 * a banner above the page says so; the page gets no result and keeps what was entered.
 */
export function useAction<Result>() {
  const { t } = useTranslation();
  const showError = useErrorBanner();
  const fetcher = useFetcher<Result>();
  const refusal = refusalIn(fetcher.data);
  const problem =
    refusal !== null ? t(`refusal.${refusal}`) : isUnanswered(fetcher.data) ? t("said.unanswered") : null;
  // Before what the page makes of it: an answer takes away what was said of the one before.
  useActionResult(fetcher.data, () => showError(problem));
  return { ...fetcher, data: problem === null ? fetcher.data : undefined };
}

/** Handles each result of a fetcher once: `useActionResult(fetcher.data, (result) => toast(…))`. */
export function useActionResult<Result>(result: Result | undefined, handle: (result: Result) => void): void {
  // What was there before, such as the result of a form that was closed, has been handled.
  const handled = useRef(result);
  useEffect(() => {
    if (result === undefined || result === handled.current) return;
    handled.current = result;
    handle(result);
  });
}

/** `const toast = useToast(); toast(t("said.saved"))`: what was done, in the admin's corner. Errors go to `useErrorBanner`. */
export function useToast(): (message: string) => void {
  const showError = useErrorBanner();
  return useCallback(
    (message) => {
      showError(null);
      window.shopify.toast.show(message);
    },
    [showError],
  );
}

/** Puts a text into the clipboard and says so. */
export function useCopyToClipboard(): (text: string) => Promise<void> {
  const { t } = useTranslation();
  const toast = useToast();
  const showError = useErrorBanner();
  return async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      toast(t("said.copied"));
    } catch (error) {
      // The browser may not allow it in a frame: then the text can still be selected where it is shown.
      console.warn(error);
      showError(t("said.notCopied"));
    }
  };
}

/**
 * Reloads the page's data every two seconds while something is under way and the page is visible, but not while it is being
 * loaded: a request aborts the one before it, so on a slow connection none would ever be answered.
 */
export function useRevalidateWhile(active: boolean): void {
  const { revalidate, state } = useRevalidator();
  const navigation = useNavigation();
  const isIdle = useRef(true);
  useEffect(() => {
    isIdle.current = state === "idle" && navigation.state === "idle";
  });
  useEffect(() => {
    if (!active) return;
    let isAsking = false;
    const over = new AbortController();
    const poll = async () => {
      if (isAsking) return;
      isAsking = true;
      const isReachable = await canLoad(over.signal);
      isAsking = false;
      if (isReachable && isIdle.current) revalidate();
    };
    const timer = setInterval(() => void poll(), POLL_MS);
    return () => {
      over.abort();
      clearInterval(timer);
    };
  }, [active, revalidate]);
}

const POLL_MS = 2_000;

/**
 * Whether the page is seen and the app answers. A page that is loaded again without an answer becomes its error page, and
 * what was entered there is lost.
 */
async function canLoad(signal?: AbortSignal): Promise<boolean> {
  if (document.visibilityState !== "visible") return false;
  try {
    return (await fetch("/healthz", { signal: signal ?? null })).status < 500;
  } catch {
    // The network is gone, or the page is being left: the next poll tries again.
    return false;
  }
}

/** Reloads the page's data when its tab becomes visible again: another tab may have changed it. */
export function useRevalidateOnReturn(): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const reload = async () => {
      if (await canLoad()) revalidate();
    };
    const onChange = () => void reload();
    document.addEventListener("visibilitychange", onChange);
    return () => document.removeEventListener("visibilitychange", onChange);
  }, [revalidate]);
}
