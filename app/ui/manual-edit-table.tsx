import { Link } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { EditRow } from "#app/catalogue/runs/run-list.server.ts";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "./shop.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { TitledList } from "./titled-card.tsx";

const tones = { restored: "info", kept: "attention" } as const;

/** What somebody changed by hand in insurance products, and what became of it. */
export function ManualEditTable({ edits }: { edits: EditRow[] }) {
  const { t } = useTranslation("catalogue");
  const { format, currency } = useShop();
  const names: Partial<Record<string, string>> = {
    title: t("edits.name.title"),
    descriptionHtml: t("edits.name.descriptionHtml"),
    productType: t("edits.name.productType"),
    status: t("edits.name.status"),
    published: t("edits.name.published"),
    priceMinor: t("edits.name.priceMinor"),
    duration: t("edits.name.duration"),
    taxable: t("edits.name.taxable"),
    requiresShipping: t("edits.name.requiresShipping"),
  };
  const values: Partial<Record<string, string>> = t("edits.value", { returnObjects: true });
  const write = (field: string, value: string) => {
    if (field === "priceMinor" && /^\d+$/.test(value)) return format.money(Number(value), currency);
    return ["status", "published", "taxable", "requiresShipping"].includes(field)
      ? (values[value] ?? value)
      : value;
  };
  return (
    <TitledList title={t("edits.title")}>
      <ListTable
        columns={[
          { title: t("column.variant") },
          { title: t("edits.field") },
          { title: t("edits.theirs") },
          { title: t("edits.ours") },
          { title: t("edits.outcome") },
        ]}
        rows={edits.map(({ id, productId, variantId, field, ours, theirs, outcome }) => ({
          key: id,
          cells: [
            <Link
              url={`shopify://admin/products/${productId}${variantId === null ? "" : `/variants/${variantId}`}`}
              target="_top"
            >
              {variantId ?? productId}
            </Link>,
            names[field] ?? field,
            write(field, theirs),
            write(field, ours),
            <StatusBadge
              status={outcome}
              labels={{ restored: t("edits.restored"), kept: t("edits.kept") }}
              tones={tones}
            />,
          ],
        }))}
      />
    </TitledList>
  );
}
