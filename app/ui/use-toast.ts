import { useCallback } from "react";

/** `const toast = useToast(); toast(t("said.saved"))`: a short word in the admin's corner, shown by App Bridge. */
export function useToast(): (message: string, options?: { isError?: boolean }) => void {
  return useCallback((message, options) => void window.shopify.toast.show(message, options), []);
}
