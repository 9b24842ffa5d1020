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
export function RetireImportedButton({ environment, reference, count }: Props) {
  const { t } = useTranslation("catalogue");
  const fetcher = useAction<ActionResult<{ retired: number }, "account_changed">>();
  const toast = useToast();
  const showError = useErrorBanner();
  const [asking, setAsking] = useState(false);
  useActionResult(fetcher.data, (result) => {
    if (result.state === "refused") showError(t("accountChanged"));
    else toast(t("retire.done", { count: result.value.retired }));
  });
  const title = reference === null ? t("retire.askAll", { count }) : t("retire.ask", { reference });
  return (
    <>
      <Button
        variant="plain"
        tone="critical"
        textAlign="left"
        accessibilityLabel={reference === null ? undefined : t("retire.one", { reference })}
        loading={fetcher.state !== "idle"}
        onClick={() => setAsking(true)}
      >
        {reference === null ? t("retire.all", { count }) : t("retire.action")}
      </Button>
      <ConfirmModal
        open={asking}
        title={title}
        body={t("retire.body")}
        confirm={t("retire.action")}
        destructive
        onConfirm={() =>
          fetcher.submit(
            { intent: "retire", environment, ...(reference === null ? {} : { reference }) },
            { method: "post", action: "/app/catalogue?index" },
          )
        }
        onClose={() => setAsking(false)}
      />
    </>
  );
}
