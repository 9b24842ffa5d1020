import { BlockStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ActivityEntry } from "#app/activity/activity.ts";
import { useAuditText } from "#app/ui/use-audit-text.ts";
import { useNoteText } from "#app/ui/use-note-text.ts";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useTopicText } from "#app/ui/use-topic-text.ts";

export function ActivityTable({ entries }: { entries: ActivityEntry[] }) {
  const { t } = useTranslation("activity");
  const { format } = useShop();
  const describe = useDescription();
  return (
    <ListTable
      columns={[
        { title: t("column.when"), kind: "short" },
        { title: t("column.what") },
        { title: t("column.about") },
      ]}
      rows={entries.map((entry) => {
        const { text, link, detail } = describe(entry);
        const key = `${entry.source}-${entry.id}`;
        return {
          key,
          cells: [
            format.dateTime(entry.at),
            <BlockStack>
              {link === null ? <Text as="span">{text}</Text> : <Link url={link}>{text}</Link>}
              {detail !== null && (
                <Text as="span" tone="subdued">
                  {detail}
                </Text>
              )}
            </BlockStack>,
            t(`source.${entry.source}`),
          ],
        };
      })}
    />
  );
}

interface Description {
  text: string;
  link: string | null;
  detail: string | null;
}

/** An entry in words: what happened, where to see more, what was said. */
function useDescription(): (entry: ActivityEntry) => Description {
  const { t } = useTranslation(["activity", "plans"]);
  const auditText = useAuditText();
  const sayNote = useNoteText();
  const topicText = useTopicText();
  return (entry) => {
    switch (entry.source) {
      case "app": {
        const { who, what, link } = auditText(entry);
        return { text: what, link, detail: who };
      }
      case "catalogue":
        return {
          text: t(`run.${entry.kind}.${entry.state}`),
          link: `/app/catalogue/runs/${entry.id}`,
          detail: null,
        };
      case "event": {
        const link = entry.orderId === null ? null : `/app/orders/${entry.orderId}#events`;
        return {
          text: t(`event.${entry.state}`, { topic: topicText(entry.topic) }),
          link,
          detail: entry.error,
        };
      }
      case "plan":
        return {
          text: t("plan", { order: entry.orderName, cause: t(`plans:cause.${entry.cause}`) }),
          link: `/app/orders/${entry.orderId}`,
          detail: [entry.planTitle, sayNote(entry.note)].filter(Boolean).join(" – "),
        };
    }
  };
}
