import { Button } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "#app/merchants/connection.ts";
import type { ActionResult } from "#app/ui/action-result.ts";
import { ConfirmModal } from "./confirm-modal.tsx";
import { useActionResult, useAction, useToast } from "./use-action.ts";
import { useErrorBanner } from "./error-banner.tsx";

interface Props {
  /** the account whose references the page shows */
  environment: Environment;
  /** null: all imported references */
  reference: string | null;
  /** how many that are */
  count: number;
}

/** Takes back what a file brought, after a question. */
export function WithdrawImportedButton({ environment, reference, count }: Props) {
  const { t } = useTranslation("catalogue");
  const fetcher = useAction<ActionResult<{ withdrawn: number }, "account_changed">>();
  const toast = useToast();
  const showError = useErrorBanner();
  const [asking, setAsking] = useState(false);
  useActionResult(fetcher.data, (result) => {
    if (result.state === "refused") showError(t("accountChanged"));
    else toast(t("withdraw.done", { count: result.value.withdrawn }));
  });
  const title = reference === null ? t("withdraw.askAll", { count }) : t("withdraw.ask", { reference });
  return (
    <>
      <Button
        variant="plain"
        tone="critical"
        textAlign="left"
        accessibilityLabel={reference === null ? undefined : t("withdraw.one", { reference })}
        loading={fetcher.state !== "idle"}
        onClick={() => setAsking(true)}
      >
        {reference === null ? t("withdraw.all", { count }) : t("withdraw.action")}
      </Button>
      <ConfirmModal
        open={asking}
        title={title}
        body={t("withdraw.body")}
        confirm={t("withdraw.action")}
        destructive
        onConfirm={() =>
          fetcher.submit(
            { intent: "withdraw", environment, ...(reference === null ? {} : { reference }) },
            { method: "post", action: "/app/catalogue?index" },
          )
        }
        onClose={() => setAsking(false)}
      />
    </>
  );
}
