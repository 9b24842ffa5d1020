import { BlockStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { HistoryEntry } from "#app/history/history.ts";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useAuditChanges } from "#app/ui/use-audit-changes.ts";
import { useAuditText } from "#app/ui/use-audit-text.ts";
import { useNoteText } from "#app/ui/use-note-text.ts";

/** How many changed fields of one entry the page shows; the file has all. */
const SHOWN = 8;

export function HistoryTable({ entries }: { entries: HistoryEntry[] }) {
  const { t } = useTranslation("history");
  const { format } = useShop();
  const describe = useDescription();
  return (
    <ListTable
      columns={[
        { title: t("column.when"), kind: "short" },
        { title: t("column.what") },
        { title: t("column.details") },
        { title: t("column.who") },
      ]}
      rows={entries.map((entry) => {
        const { who, what, link, details } = describe(entry);
        return {
          key: `${entry.source}-${entry.id}`,
          cells: [
            format.dateTime(entry.at),
            link === null ? (
              what
            ) : (
              <Link url={link} {...(link.startsWith("shopify:") ? { target: "_top" } : {})}>
                {what}
              </Link>
            ),
            details.length === 0 ? null : <Details lines={details} />,
            who,
          ],
        };
      })}
    />
  );
}

interface Description {
  who: string;
  what: string;
  /** where there is more about it */
  link: string | null;
  details: string[];
}

/** An entry in words. */
function useDescription(): (entry: HistoryEntry) => Description {
  const { t } = useTranslation(["history", "plans", "audit"]);
  const auditText = useAuditText();
  const changes = useAuditChanges();
  const noteText = useNoteText();
  const app = t("audit:actor.system");
  return (entry) => {
    switch (entry.source) {
      case "audit":
        return { ...auditText(entry), details: changes(entry) };
      case "plan": {
        const note = noteText(entry.note);
        return {
          who: app,
          what: t("plan", { order: entry.orderName, cause: t(`plans:cause.${entry.cause}`) }),
          link: `/app/orders/${entry.orderId}`,
          details: note === null ? [entry.planTitle] : [entry.planTitle, note],
        };
      }
      case "run":
        return {
          who: app,
          what: t(`run.${entry.kind}.${entry.state}`),
          link: `/app/catalogue/runs/${entry.id}`,
          details: [],
        };
    }
  };
}

function Details({ lines }: { lines: string[] }) {
  const { t } = useTranslation("audit");
  return (
    <BlockStack>
      {lines.slice(0, SHOWN).map((line) => (
        <Text key={line} as="span" tone="subdued" breakWord>
          {line}
        </Text>
      ))}
      {lines.length > SHOWN && (
        <Text as="span" tone="subdued">
          {t("more", { count: lines.length - SHOWN })}
        </Text>
      )}
    </BlockStack>
  );
}
