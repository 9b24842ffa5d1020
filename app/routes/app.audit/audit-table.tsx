import { BlockStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { AuditEntryView } from "#app/audit/audit-log.server.ts";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useAuditText } from "#app/ui/use-audit-text.ts";

/** How many changed fields of one entry the page shows; the file has all. */
const SHOWN = 8;

export function AuditTable({ entries }: { entries: AuditEntryView[] }) {
  const { t } = useTranslation("audit");
  const { format } = useShop();
  const auditText = useAuditText();
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
        return {
          key: entry.id,
          cells: [
            format.dateTime(entry.at),
            who,
            link === null ? what : <Link url={link}>{what}</Link>,
            <Changes {...entry} />,
          ],
        };
      })}
    />
  );
}

function Changes({ before, after }: Pick<AuditEntryView, "before" | "after">) {
  const { t } = useTranslation("audit");
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const words: Partial<Record<string, string>> = t("field", { returnObjects: true });
  const nameOf = (path: string) =>
    path
      .split(".")
      .map((part) => words[part] ?? part)
      .join(" › ");
  const say = (value: string | number | boolean | null | undefined) => {
    if (typeof value === "boolean") return t(`value.${value}`);
    return value === null || value === undefined || value === "" ? t("nothing") : String(value);
  };
  if (fields.length === 0) return "–";
  return (
    <BlockStack>
      {fields.slice(0, SHOWN).map((field) => (
        <Text key={field} as="span" tone="subdued" breakWord>
          {t("change", { field: nameOf(field), before: say(before?.[field]), after: say(after?.[field]) })}
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
