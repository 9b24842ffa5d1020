import { Box, Card, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { RunProblems } from "#app/catalogue/runs/run.ts";
import { ListTable } from "./list-table.tsx";
import { useProblemText } from "./use-catalogue-texts.ts";

/** The problems of the last run, each with its reference, category or product. Renders nothing without problems. */
export function RunProblemsCard({ problems: { items, hasMore } }: { problems: RunProblems }) {
  const { t } = useTranslation("catalogue");
  const problemText = useProblemText();
  if (items.length === 0) return null;
  return (
    <Card padding="0">
      <ListTable
        columns={[{ title: t("result.where") }, { title: t("result.problem") }]}
        rows={items.map((item) => ({
          key: item.id,
          cells: [
            <Subject problem={item} />,
            <Text as="span" breakWord>
              {problemText(item.problem, item.detail)}
            </Text>,
          ],
        }))}
      />
      {hasMore && (
        <Box padding="400">
          <Text as="p" tone="subdued">
            {t("result.first", { count: items.length })}
          </Text>
        </Box>
      )}
    </Card>
  );
}

function Subject({
  problem: { referenceId, categoryId, productId },
}: {
  problem: RunProblems["items"][number];
}) {
  const { t } = useTranslation("catalogue");
  if (referenceId !== null)
    return <Link url={`/app/catalogue/list?query=${encodeURIComponent(referenceId)}`}>{referenceId}</Link>;
  if (productId !== null) {
    return (
      <Link url={`shopify://admin/products/${productId}`} target="_top">
        {t("result.product", { id: productId })}
      </Link>
    );
  }
  return <Text as="span">{categoryId ?? "–"}</Text>;
}
