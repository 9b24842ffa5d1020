import { useFetcher } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { refusalIn } from "#app/merchants/permissions.ts";
import { useErrorBanner } from "./error-banner.tsx";
import { useActionResult } from "./use-action-result.ts";

/**
 * The fetcher of every form and button that changes something. Where the member of staff may not do it, a banner above
 * the page says what they lack; the page gets no result and keeps what was entered.
 */
export function useAction<Result>() {
  const { t } = useTranslation();
  const showError = useErrorBanner();
  const fetcher = useFetcher<Result>();
  const refusal = refusalIn(fetcher.data);
  useActionResult(fetcher.data, () => {
    if (refusal !== null) showError(t(`refusal.${refusal}`));
  });
  return { ...fetcher, data: refusal === null ? fetcher.data : undefined };
}
