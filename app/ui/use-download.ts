import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useErrorBanner } from "./error-banner.tsx";
import { useToast } from "./use-toast.ts";

/**
 * Downloads what one of our addresses answers. A plain link would carry no session token; `fetch` does, by App Bridge.
 */
export function useDownload(): {
  downloading: boolean;
  download: (address: string, fileName: string) => Promise<void>;
} {
  const { t } = useTranslation();
  const toast = useToast();
  const showError = useErrorBanner();
  const [downloading, setDownloading] = useState(false);
  async function download(address: string, fileName: string) {
    setDownloading(true);
    try {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
      const file = URL.createObjectURL(await answer.blob());
      const link = document.createElement("a");
      link.href = file;
      link.download = fileName;
      link.click();
      URL.revokeObjectURL(file);
      toast(t("said.exported", { file: fileName }));
    } catch (error) {
      console.warn(error);
      showError(t("said.notExported", { file: fileName }));
    } finally {
      setDownloading(false);
    }
  }
  return { downloading, download };
}
