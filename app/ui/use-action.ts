import { useFetcher, useNavigation, useRevalidator } from "@remix-run/react";
import { useCallback, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { refusalIn } from "#app/merchants/permissions.ts";
import { isUnanswered } from "./client-action.ts";
import { useErrorBanner } from "./error-banner.tsx";

/**
 * The fetcher of every form and button that changes something. If the staff member lacks the permission or the request
 * fails, a banner above the page shows it. The page then gets no result and keeps the typed values.
 */
export function useAction<Result>() {
  const { t } = useTranslation();
  const showError = useErrorBanner();
  const fetcher = useFetcher<Result>();
  const refusal = refusalIn(fetcher.data);
  const problem =
    refusal !== null ? t(`refusal.${refusal}`) : isUnanswered(fetcher.data) ? t("said.unanswered") : null;
  // Runs before the page's own handler: a new answer removes the previous answer's banner.
  useActionResult(fetcher.data, () => showError(problem));
  return { ...fetcher, data: problem === null ? fetcher.data : undefined };
}

/** Handles each result of a fetcher once: `useActionResult(fetcher.data, (result) => toast(…))`. */
export function useActionResult<Result>(result: Result | undefined, handle: (result: Result) => void): void {
  // A result that existed at the first render was already handled.
  const handled = useRef(result);
  useEffect(() => {
    if (result === undefined || result === handled.current) return;
    handled.current = result;
    handle(result);
  });
}

/**
 * `const toast = useToast(); toast(t("said.saved"))` shows a success in the admin's corner. Errors go to
 * `useErrorBanner`.
 */
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

/** Copies a text to the clipboard and shows a toast. */
export function useCopyToClipboard(): (text: string) => Promise<void> {
  const { t } = useTranslation();
  const toast = useToast();
  const showError = useErrorBanner();
  return async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      toast(t("said.copied"));
    } catch (error) {
      // The browser may forbid it in a frame. The merchant can still select the text.
      console.warn(error);
      showError(t("said.notCopied"));
    }
  };
}

/**
 * Reloads the page's data every two seconds while a job runs and the page is visible. It waits for a running load: a
 * new request would abort it, so on a slow connection none would finish.
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
 * Whether the page is visible and the app answers. A failed reload would show the error page and lose the typed values.
 */
async function canLoad(signal?: AbortSignal): Promise<boolean> {
  if (document.visibilityState !== "visible") return false;
  try {
    return (await fetch("/healthz", { signal: signal ?? null })).status < 500;
  } catch {
    // The network failed, or the page is being left: the next poll retries.
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
