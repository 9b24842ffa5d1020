import { useLocation } from "@remix-run/react";
import { Button } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { useDownload } from "./use-download.ts";

interface Props {
  /** address of the CSV file, without its search: it gets the page's own */
  file: `/app/${string}.csv`;
  disabled?: boolean;
}

/** Downloads what the page shows, with the filters in its address. */
export function DownloadButton({ file, disabled = false }: Props) {
  const { t } = useTranslation();
  const { search } = useLocation();
  const { downloading, download } = useDownload();
  return (
    <Button
      loading={downloading}
      disabled={disabled}
      onClick={() => void download(`${file}${search}`, file.replace(/^.*\//, ""))}
    >
      {t("action.download")}
    </Button>
  );
}
