import { BlockStack, IndexTable, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { AuditEntryView } from "#app/audit/audit-log.server.ts";
import { useAuditText } from "#app/ui/use-audit-text.ts";
import { useShop } from "#app/ui/shop.tsx";
import styles from "#app/ui/wrapping-cell.module.css";

/** How many changed fields of one entry the page shows; the file has all. */
const SHOWN = 8;

export function AuditTable({ entries }: { entries: AuditEntryView[] }) {
  const { t } = useTranslation("audit");
  const { format } = useShop();
  const auditText = useAuditText();
  return (
    <IndexTable
      selectable={false}
      itemCount={entries.length}
      headings={[
        { title: t("column.when") },
        { title: t("column.who") },
        { title: t("column.what") },
        { title: t("column.changes") },
      ]}
    >
      {entries.map((entry, index) => {
        const { who, what, link } = auditText(entry);
        return (
          <IndexTable.Row key={entry.id} id={entry.id} position={index}>
            <IndexTable.Cell>{format.dateTime(entry.at)}</IndexTable.Cell>
            <IndexTable.Cell className={styles.text}>{who}</IndexTable.Cell>
            <IndexTable.Cell className={styles.text}>
              {link === null ? what : <Link url={link}>{what}</Link>}
            </IndexTable.Cell>
            <IndexTable.Cell className={styles.text}>
              <Changes {...entry} />
            </IndexTable.Cell>
          </IndexTable.Row>
        );
      })}
    </IndexTable>
  );
}

function Changes({ before, after }: Pick<AuditEntryView, "before" | "after">) {
  const { t } = useTranslation("audit");
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const say = (value: string | number | boolean | null | undefined) =>
    value === null || value === undefined || value === "" ? t("nothing") : String(value);
  return (
    <BlockStack>
      {fields.slice(0, SHOWN).map((field) => (
        <Text key={field} as="span" tone="subdued">
          {t("change", { field, before: say(before?.[field]), after: say(after?.[field]) })}
        </Text>
      ))}
      {fields.length > SHOWN && (
        <Text as="span" tone="subdued">
          {t("more", { count: fields.length - SHOWN })}
        </Text>
      )}
    </BlockStack>
  );
}
