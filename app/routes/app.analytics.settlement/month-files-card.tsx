import { Button, InlineStack, Link, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { useErrorBanner } from "#app/ui/error-banner.tsx";
import { useDownload } from "#app/ui/exportable-list.tsx";
import { settingsAddress } from "#app/ui/settings-parts.ts";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useAction, useActionResult, useToast } from "#app/ui/use-action.ts";
import type { SettlementView } from "#app/settlement/settlement-page.server.ts";
import type { SettlementResult } from "./settlement-result.ts";
import { Permitted } from "#app/ui/permitted.tsx";

const files = [
  ["bordereau.csv", "bordereau_csv"],
  ["bordereau.xlsx", "bordereau_xlsx"],
  ["journal.csv", "journal_csv"],
  ["journal.xlsx", "journal_xlsx"],
] as const;

interface Props {
  view: SettlementView;
  month: string;
  isOver: boolean;
}

/** The month's files, and the button that closes it. */
export function MonthFilesCard({ view, month, isOver }: Props) {
  const { t } = useTranslation("settlement");
  const { format } = useShop();
  const toast = useToast();
  const showError = useErrorBanner();
  const { downloading, download } = useDownload();
  const fetcher = useAction<SettlementResult>();
  const [asking, setAsking] = useState(false);
  const isClosed = view.closedAt !== null;
  useActionResult(fetcher.data, (result) => {
    if (result.state === "success") toast(t("close.done"));
    else if (result.reason !== "unknown_store") showError(t(`close.${result.reason}`));
  });
  return (
    <TitledCard
      title={t("files.title")}
      help={t("files.help")}
      action={
        isClosed || !isOver ? undefined : (
          <Permitted>
            <Button loading={fetcher.state !== "idle"} onClick={() => setAsking(true)}>
              {t("close.action")}
            </Button>
          </Permitted>
        )
      }
    >
      <InlineStack gap="200">
        {files.map(([name, text]) => (
          <Button
            key={name}
            disabled={downloading}
            onClick={() => void download(`/app/analytics/settlement/file?month=${month}&name=${name}`, name)}
          >
            {t(`files.${text}`)}
          </Button>
        ))}
      </InlineStack>
      {!isClosed && (
        <Text as="p" tone="subdued">
          {t("files.provisional")} {!isOver && t("close.not_over")}
        </Text>
      )}
      <Link url={settingsAddress("data", "bookkeeping")}>{t("files.accounts")}</Link>
      <ConfirmModal
        open={asking}
        title={t("close.title", { month: format.month(month) })}
        body={
          view.differences === 0
            ? t("close.body")
            : `${t("close.body")} ${t("close.differences", { count: view.differences })}`
        }
        confirm={t("close.action")}
        onConfirm={() => fetcher.submit({ intent: "close", month }, { method: "post" })}
        onClose={() => setAsking(false)}
      />
    </TitledCard>
  );
}
