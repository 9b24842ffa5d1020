import type { ReactNode } from "react";
import { useLocation } from "@remix-run/react";
import { Button, InlineStack } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { useState } from "react";
import type { ListPage } from "#app/platform/list-page.ts";
import { CursorPagination } from "./list-table.tsx";
import { PhoneFold } from "./phone-fold.tsx";
import { TitledList } from "./titled-card.tsx";
import { useErrorBanner } from "./error-banner.tsx";
import { useToast } from "./use-action.ts";

interface ExportableListProps {
  title: string;
  /** URL of the CSV file without its search; the page's own search is added */
  file: `/app/${string}.csv`;
  page: ListPage<unknown>;
  /** beside the button of the CSV file */
  action?: ReactNode;
  children: ReactNode;
}

/** A list with its title, its CSV file and its pages. */
export function ExportableList({ title, file, page, action, children }: ExportableListProps) {
  const { t } = useTranslation();
  const downloads = (
    <PhoneFold label={t("action.export")}>
      <InlineStack gap="200">
        {action}
        <DownloadButton file={file} disabled={page.items.length === 0} />
      </InlineStack>
    </PhoneFold>
  );
  return (
    <TitledList title={title} action={downloads}>
      {children}
      <CursorPagination page={page} />
    </TitledList>
  );
}

interface DownloadButtonProps {
  /** URL of the CSV file without its search; the page's own search is added */
  file: `/app/${string}.csv`;
  disabled?: boolean;
  /** default: "Export as CSV" */
  label?: string;
}

/** Downloads the rows of the page, with the filters of its URL. */
export function DownloadButton({ file, disabled = false, label }: DownloadButtonProps) {
  const { t } = useTranslation();
  const { search } = useLocation();
  const { downloading, download } = useDownload();
  return (
    <Button
      loading={downloading}
      disabled={disabled}
      onClick={() => void download(`${file}${search}`, file.replace(/^.*\//, ""))}
    >
      {label ?? t("action.download")}
    </Button>
  );
}

/**
 * Downloads the response of one of the app's URLs. A plain link would have no session token; App Bridge adds it to
 * `fetch`.
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
      const named =
        /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? fileName;
      link.download = named;
      link.click();
      URL.revokeObjectURL(file);
      toast(t("said.exported", { file: named }));
    } catch (error) {
      console.warn(error);
      showError(t("said.notExported", { file: fileName }));
    } finally {
      setDownloading(false);
    }
  }
  return { downloading, download };
}
