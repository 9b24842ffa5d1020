import { useTranslation } from "react-i18next";
import { useErrorBanner } from "./error-banner.tsx";
import { useToast } from "./use-toast.ts";

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
