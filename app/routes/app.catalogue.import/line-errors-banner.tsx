import { Banner, BlockStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ImportView } from "#app/catalogue/references/import-view.ts";
import { useShop } from "#app/ui/shop.tsx";
import styles from "#app/ui/table.module.css";

/** What is wrong with the file, line by line. */
export function LineErrorsBanner({ preview: { errors, firstErrors } }: { preview: ImportView }) {
  const { t } = useTranslation("catalogue");
  const { format } = useShop();
  const unreadable: Partial<Record<string, string>> = t("import.unreadable", { returnObjects: true });
  /** All columns of prices are in cents. */
  const expected = (field: string | null) =>
    field?.startsWith("price") === true
      ? t("import.expected.cents")
      : field === "billing"
        ? t("import.expected.billing")
        : undefined;
  return (
    <Banner tone="critical" title={t("import.errors", { count: errors })}>
      <BlockStack gap="200">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t("import.line")}</th>
              <th scope="col">{t("import.field")}</th>
              <th scope="col">{t("detail.problem")}</th>
            </tr>
          </thead>
          <tbody>
            {firstErrors.map(({ line, field, problem, detail }, index) => (
              <tr key={index}>
                <td>{line === null ? "–" : format.number(line)}</td>
                <td>{field ?? "–"}</td>
                <td>
                  {[
                    t(`import.error.${problem}`, {
                      detail: problem === "unreadable" ? (unreadable[detail] ?? detail) : detail,
                    }),
                    problem === "malformed" ? expected(field) : undefined,
                  ]
                    .filter((part) => part !== undefined)
                    .join(". ")}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {firstErrors.length < errors && (
          <Text as="p">{t("import.first", { count: firstErrors.length })}</Text>
        )}
      </BlockStack>
    </Banner>
  );
}
