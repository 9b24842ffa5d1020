import { Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { ListTable } from "#app/ui/list-table.tsx";
import type { RunProblemRow } from "#app/catalogue/runs/run-list.server.ts";
import { useProblemText } from "#app/ui/use-catalogue-texts.ts";

/** What a run could not do, each with the reference, category or product that it concerns. */
export function ProblemTable({ problems }: { problems: RunProblemRow[] }) {
  const { t } = useTranslation("catalogue");
  const say = useProblemText();
  return (
    <ListTable
      columns={[{ title: t("detail.where") }, { title: t("detail.problem") }]}
      rows={problems.map((problem) => ({
        key: problem.id,
        cells: [
          <Where problem={problem} />,
          <Text as="span" breakWord>
            {say(problem.problem, problem.detail)}
          </Text>,
        ],
      }))}
    />
  );
}

function Where({ problem: { referenceId, categoryId, productId } }: { problem: RunProblemRow }) {
  const { t } = useTranslation("catalogue");
  if (referenceId !== null) {
    return <Link url={`/app/catalogue?query=${encodeURIComponent(referenceId)}`}>{referenceId}</Link>;
  }
  if (productId !== null) {
    return (
      <Link url={`shopify://admin/products/${productId}`} target="_top">
        {t("detail.product", { id: productId })}
      </Link>
    );
  }
  return <Text as="span">{categoryId ?? "–"}</Text>;
}
