import { useFetcher } from "@remix-run/react";
import { Button } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ActionResult } from "#app/ui/action-result.ts";
import { ConfirmModal } from "./confirm-modal.tsx";
import { useActionResult } from "./use-action-result.ts";
import { useToast } from "./use-toast.ts";

interface Props {
  /** null: all imported references */
  reference: string | null;
  /** how many that are */
  count: number;
}

/** Takes back what a file brought, after a question. */
export function WithdrawImportedButton({ reference, count }: Props) {
  const { t } = useTranslation("catalogue");
  const fetcher = useFetcher<ActionResult<{ withdrawn: number }>>();
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  useActionResult(fetcher.data, ({ value }) => toast(t("withdraw.done", { count: value.withdrawn })));
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
            { intent: "withdraw", ...(reference === null ? {} : { reference }) },
            { method: "post", action: "/app/catalogue?index" },
          )
        }
        onClose={() => setAsking(false)}
      />
    </>
  );
}
