import { useLocation } from "@remix-run/react";
import { Banner, Box } from "@shopify/polaris";
import type { BannerHandles } from "@shopify/polaris";
import { createContext, useCallback, useContext, useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";

const ErrorBannerContext = createContext<(message: string | null) => void>(() => {
  throw new Error("useErrorBanner works inside the pages of the app only");
});

/**
 * Above the page: why the last action failed. It stays until the merchant dismisses it, succeeds or leaves the page; a
 * toast disappears too early. Field problems are shown beside the field.
 */
export function ErrorBannerProvider({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const [error, setError] = useState<{ message: string; page: string } | null>(null);
  const banner = useRef<BannerHandles>(null);
  const show = useCallback(
    (message: string | null) => setError(message === null ? null : { message, page: pathname }),
    [pathname],
  );
  useEffect(() => {
    // The button may be far below. The focus scrolls to the banner, and screen readers read it.
    if (error !== null) banner.current?.focus();
  }, [error]);
  return (
    <ErrorBannerContext.Provider value={show}>
      {error !== null && error.page === pathname && (
        <Box padding="400" paddingBlockEnd="0">
          <Banner ref={banner} tone="critical" title={error.message} onDismiss={() => setError(null)} />
        </Box>
      )}
      {children}
    </ErrorBannerContext.Provider>
  );
}

/** `const showError = useErrorBanner(); showError(t("…"))`; null removes the banner. */
export const useErrorBanner = (): ((message: string | null) => void) => useContext(ErrorBannerContext);
