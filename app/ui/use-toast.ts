import { useCallback } from "react";
import { useErrorBanner } from "./error-banner.tsx";

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
