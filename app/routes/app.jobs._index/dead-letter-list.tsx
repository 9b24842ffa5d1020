import { useFetcher } from "@remix-run/react";
import { Button } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeadLetter } from "#app/jobs/dead-letters.server.ts";
import type { ListPage } from "#app/platform/list-page.ts";
import type { ActionResult } from "#app/ui/action-result.ts";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { CursorPagination } from "#app/ui/cursor-pagination.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { TitledList } from "#app/ui/titled-card.tsx";
import { useToast } from "#app/ui/use-toast.ts";
import { useActionResult } from "#app/ui/use-action-result.ts";
import { DeadLetterRow } from "./dead-letter-row.tsx";

/** How many jobs were replayed or discarded. */
export type DeadLetterActionResult = ActionResult<{ message: "replay" | "discard"; count: number }>;

interface Props {
  letters: ListPage<DeadLetter>;
  /** of all pages */
  dead: number;
}

/** Jobs that failed at their last attempt, and the way to start them again. */
export function DeadLetterList({ letters, dead }: Props) {
  const { t } = useTranslation("jobs");
  const toast = useToast();
  const fetcher = useFetcher<DeadLetterActionResult>();
  const [asking, setAsking] = useState<"all" | DeadLetter | null>(null);
  const run = (intent: string, id = "") =>
    fetcher.submit({ intent, ...(id === "" ? {} : { id }) }, { method: "post", action: "/app/jobs?index" });
  useActionResult(fetcher.data, ({ value }) => toast(t(`said.${value.message}`, { count: value.count })));
  const at = (intent: string, id: string) =>
    fetcher.formData?.get("intent") === intent && fetcher.formData.get("id") === id;

  return (
    <TitledList
      title={t("dead.title")}
      help={t("dead.help")}
      action={
        dead > 0 && (
          <Button loading={fetcher.formData?.get("intent") === "replay_all"} onClick={() => setAsking("all")}>
            {t("dead.replayAll", { count: dead })}
          </Button>
        )
      }
    >
      {letters.items.length === 0 ? (
        <EmptyState title={t("dead.none.title")} body={t("dead.none.body")} />
      ) : (
        letters.items.map((letter) => (
          <DeadLetterRow
            key={letter.id}
            letter={letter}
            replaying={at("replay", letter.id)}
            discarding={at("discard", letter.id)}
            onReplay={() => run("replay", letter.id)}
            onDiscard={() => setAsking(letter)}
          />
        ))
      )}
      <CursorPagination page={letters} />
      {asking !== null && (
        <ConfirmModal
          open
          title={
            asking === "all"
              ? t("confirm.all.title", { count: dead })
              : t(asking.orderId === null ? "confirm.discard.title" : "confirm.discard.titleOfOrder", {
                  job: t(`job.${asking.job}`),
                  order: asking.orderId,
                })
          }
          body={t(asking === "all" ? "confirm.all.body" : "confirm.discard.body")}
          confirm={asking === "all" ? t("dead.replayAll", { count: dead }) : t("dead.discard")}
          destructive={asking !== "all"}
          onConfirm={() => (asking === "all" ? run("replay_all") : run("discard", asking.id))}
          onClose={() => setAsking(null)}
        />
      )}
    </TitledList>
  );
}
