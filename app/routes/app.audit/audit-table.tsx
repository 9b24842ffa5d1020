import { BlockStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { AuditEntryView } from "#app/audit/audit-log.server.ts";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useAuditChanges } from "#app/ui/use-audit-changes.ts";
import { useAuditText } from "#app/ui/use-audit-text.ts";

/** How many changed fields of one entry the page shows; the file has all. */
const SHOWN = 8;

export function AuditTable({ entries }: { entries: AuditEntryView[] }) {
  const { t } = useTranslation("audit");
  const { format } = useShop();
  const auditText = useAuditText();
  const changes = useAuditChanges();
  return (
    <ListTable
      columns={[
        { title: t("column.when"), kind: "short" },
        { title: t("column.who") },
        { title: t("column.what") },
        { title: t("column.changes") },
      ]}
      rows={entries.map((entry) => {
        const { who, what, link } = auditText(entry);
        const lines = changes(entry);
        return {
          key: entry.id,
          cells: [
            format.dateTime(entry.at),
            who,
            link === null ? what : <Link url={link}>{what}</Link>,
            lines.length === 0 ? null : <Changes lines={lines} />,
          ],
        };
      })}
    />
  );
}

function Changes({ lines }: { lines: string[] }) {
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
