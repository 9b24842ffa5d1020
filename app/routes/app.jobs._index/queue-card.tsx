import { Badge, BlockStack, Card, InlineStack, Scrollable, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { QueueHealth } from "#app/jobs/queue-health.server.ts";
import { useShop } from "#app/ui/shop.tsx";
import styles from "#app/ui/table.module.css";
import { useRevalidateWhile } from "#app/ui/use-revalidate-while.ts";

interface Props {
  health: QueueHealth;
  reconciledAt: Date | null;
}

const columns = ["ready", "running", "retrying", "scheduled"] as const;

/** Whether jobs are worked off, and what there is of each kind. */
export function QueueCard({ health: { queues, deadLetters, stalled }, reconciledAt }: Props) {
  const { t } = useTranslation("jobs");
  const { format } = useShop();
  const retrying = queues.some((queue) => queue.retrying > 0);
  useRevalidateWhile(queues.some(({ ready, running }) => ready + running > 0));
  const state = stalled
    ? "stalled"
    : deadLetters > 0
      ? "dead"
      : retrying
        ? "retrying"
        : queues.length > 0
          ? "busy"
          : "idle";
  const tone = {
    stalled: "critical",
    dead: "critical",
    retrying: "warning",
    busy: "info",
    idle: "success",
  } as const;
  return (
    <Card>
      <BlockStack gap="300">
        <InlineStack gap="200" blockAlign="center">
          <Text as="h2" variant="headingMd">
            {t("queue.title")}
          </Text>
          <Badge tone={tone[state]}>{t(`queue.state.${state}`)}</Badge>
        </InlineStack>
        <Text as="p">{t(`queue.says.${state}`)}</Text>
        {queues.length > 0 && (
          <Scrollable horizontal vertical={false} focusable>
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col">{t("queue.kind")}</th>
                  {columns.map((column) => (
                    <th key={column} scope="col" className={styles.number}>
                      {t(`queue.column.${column}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {queues.map((queue) => (
                  <tr key={queue.job}>
                    <th scope="row">{t(`job.${queue.job}`)}</th>
                    {columns.map((column) => (
                      <td key={column} className={styles.number}>
                        {format.number(queue[column])}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrollable>
        )}
        <Text as="p" tone="subdued">
          {reconciledAt === null
            ? t("queue.neverReconciled")
            : t("queue.reconciled", { date: format.dateTime(reconciledAt) })}
        </Text>
      </BlockStack>
    </Card>
  );
}
