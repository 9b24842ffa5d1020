import type { FetcherWithComponents } from "@remix-run/react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useToast } from "#app/ui/toast.ts";
import type { Answer } from "./answer.ts";

/** Says in a word what came of the last thing that was done. */
export function useSaid({ state, data }: FetcherWithComponents<Answer>): void {
  const { t } = useTranslation("orders");
  const toast = useToast();
  useEffect(() => {
    if (state !== "idle" || data === undefined || data.state === "invalid") return;
    const said =
      data.state === "failed"
        ? t("said.failed", { reason: data.reason })
        : data.state === "not_now" && data.did === "confirm_cancelled"
          ? t("said.not_cancelled")
          : data.state === "done"
            ? t(`said.${data.did}`)
            : t(`said.${data.state}`);
    toast(said, { isError: data.state !== "done" });
  }, [state, data, t, toast]);
}
