import type { FetcherWithComponents } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import { useToast } from "#app/ui/use-toast.ts";
import { useActionResult } from "#app/ui/use-action-result.ts";
import type { OrderActionResult } from "./answer.ts";

/** Says in a word what came of the last thing that was done. */
export function useResultToast(fetcher: FetcherWithComponents<OrderActionResult>): void {
  const { t } = useTranslation("orders");
  const toast = useToast();
  useActionResult(fetcher.data, (answer) => {
    if (answer.state === "invalid") return;
    const said =
      answer.state === "failed"
        ? t("said.failed", { reason: answer.reason })
        : answer.state === "not_now" && answer.did === "confirm_cancelled"
          ? t("said.not_cancelled")
          : answer.state === "done"
            ? t(`said.${answer.did}`)
            : t(`said.${answer.state}`);
    toast(said, { isError: answer.state !== "done" });
  });
}
