import { Button, InlineStack, Spinner, Text, TextField } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ReconciliationRunRow } from "#app/plans/reconciliation/reconciliation-list.server.ts";
import { reconciliationForm } from "#app/plans/reconciliation/reconciliation.ts";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TechnicalDetail } from "#app/ui/details.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useAction, useRevalidateWhile } from "#app/ui/use-action.ts";
import type { OrderCheckResult } from "../app.history_.check.tsx";

interface Props {
  last: ReconciliationRunRow | null;
  connected: boolean;
  /** `YYYY-MM-DD` */
  today: string;
}

/**
 * Sends orders older than the app to the service; continues when the page is closed. History lists it with its figures.
 */
export function BackfillCard({ last, connected, today }: Props) {
  const { t } = useTranslation("settings");
  const { format } = useShop();
  const fetcher = useAction<OrderCheckResult>();
  const [since, setSince] = useState(() =>
    new Date(Date.parse(today) - 60 * 86_400_000).toISOString().slice(0, 10),
  );
  const [asking, setAsking] = useState(false);
  const active = last?.state === "queued" || last?.state === "running";
  const form = { kind: "backfill", start: since, end: today };
  const isValid = reconciliationForm(today).safeParse(form).success;
  const isRefused = fetcher.data?.state === "invalid";
  useRevalidateWhile(active);
  const submit = (what: Record<string, string>) =>
    fetcher.submit(what, { method: "post", action: "/app/history/check" });

  return (
    <TitledCard title={t("backfill.title")}>
      <Text as="p">{t("backfill.body")}</Text>
      <InlineStack gap="300" blockAlign="end">
        <TextField
          type="date"
          label={t("backfill.from")}
          value={since}
          max={today}
          onChange={setSince}
          error={isValid && !isRefused ? undefined : t("backfill.problem")}
          disabled={active}
          autoComplete="off"
        />
        {active ? (
          <Button onClick={() => submit({ intent: "stop", id: last.id })}>{t("backfill.stop")}</Button>
        ) : (
          <Button
            disabled={!connected || !isValid}
            loading={fetcher.state !== "idle"}
            onClick={() => setAsking(true)}
          >
            {t("backfill.start")}
          </Button>
        )}
      </InlineStack>
      {!connected && (
        <Text as="p" tone="subdued">
          {t("backfill.notConnected")}
        </Text>
      )}
      <div role="status">
        {last && (
          <InlineStack gap="200" blockAlign="center">
            {active && <Spinner size="small" accessibilityLabel="" />}
            <Text as="p">
              {t(`backfill.state.${last.state}`, {
                date: format.dateTime(last.finishedAt ?? last.createdAt),
                orders: format.number(last.counts.orders),
                missed: format.number(last.counts.missed),
              })}
            </Text>
          </InlineStack>
        )}
        {active && last.error !== null && (
          <>
            <Text as="p" tone="caution">
              {t("backfill.waiting")}
            </Text>
            <TechnicalDetail>{last.error}</TechnicalDetail>
          </>
        )}
      </div>
      <ConfirmModal
        open={asking}
        title={t("backfill.confirm.title")}
        body={t("backfill.confirm.body", { date: isValid ? format.date(since) : "" })}
        confirm={t("backfill.start")}
        onConfirm={() => submit({ intent: "start", ...form })}
        onClose={() => setAsking(false)}
      />
    </TitledCard>
  );
}
