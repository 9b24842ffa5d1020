import { Badge, Banner, BlockStack, Box, Button, Card, InlineStack, List, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ImportView } from "#app/catalogue/references/import-view.ts";
import { usePriceBandText, useProblemText } from "#app/ui/use-catalogue-texts.ts";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { LineErrorsBanner } from "./line-errors-banner.tsx";

/** What the file would change, and the button that does it. */
export function ImportPreviewCard({ preview, onConfirm }: { preview: ImportView; onConfirm: () => void }) {
  const { t } = useTranslation("catalogue");
  const { format } = useShop();
  const bandText = usePriceBandText();
  const say = useProblemText();
  const { firstReferences: references } = preview;
  const count = preview.added + preview.changed;
  const kinds = ["added", "changed", "unchanged"] as const;
  return (
    <Card padding="0">
      <Box padding="400">
        <BlockStack gap="400">
          <InlineStack align="space-between" blockAlign="center" gap="200">
            <BlockStack gap="200">
              <Text as="h2" variant="headingMd">
                {t("import.preview")}
              </Text>
              <InlineStack gap="200" align="start">
                {kinds
                  .filter((kind) => preview[kind] > 0)
                  .map((kind) => (
                    <Badge key={kind} tone={kind === "unchanged" ? undefined : "info"}>
                      {t(`import.${kind}`, { count: preview[kind] })}
                    </Badge>
                  ))}
              </InlineStack>
            </BlockStack>
            {count > 0 && (
              <Button variant="primary" onClick={onConfirm}>
                {t("import.confirm", { count })}
              </Button>
            )}
          </InlineStack>
          {count === 0 && <Text as="p">{t("import.nothing")}</Text>}
          {preview.errors > 0 && <LineErrorsBanner preview={preview} />}
          {preview.withheld > 0 && (
            <Banner tone="warning" title={t("import.withheld", { count: preview.withheld })}>
              <List>
                {preview.firstWithheld.map(({ referenceId, problem, detail }) => (
                  <List.Item key={referenceId}>
                    {referenceId}: {say(problem, detail)}
                  </List.Item>
                ))}
              </List>
            </Banner>
          )}
        </BlockStack>
      </Box>
      {references.length > 0 && (
        <ListTable
          columns={[
            { title: t("column.reference") },
            { title: t("column.category") },
            { title: t("column.term") },
            { title: t("column.band") },
            { title: t("column.price"), kind: "number" },
            { title: t("column.state") },
          ]}
          rows={references.map((reference) => ({
            key: reference.referenceId,
            cells: [
              reference.referenceId,
              reference.categoryId,
              t("term.months", { count: reference.termMonths }),
              bandText(reference.bandMinMinor, reference.bandMaxMinor, reference.currency),
              format.money(reference.priceMinor, reference.currency),
              reference.priceBefore === null
                ? t("import.new")
                : t("import.before", { price: format.money(reference.priceBefore, reference.currency) }),
            ],
          }))}
        />
      )}
      {references.length < count && (
        <Box padding="400">
          <Text as="p" tone="subdued">
            {t("import.first", { count: references.length })}
          </Text>
        </Box>
      )}
    </Card>
  );
}
