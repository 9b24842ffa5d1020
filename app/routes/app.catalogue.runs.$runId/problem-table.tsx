import { IndexTable, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { RunProblemRow } from "#app/catalogue/runs/run-list.server.ts";
import { useProblemText } from "#app/ui/use-problem-text.ts";

/** What a run could not do, each with the reference, category or product that it concerns. */
export function ProblemTable({ problems }: { problems: RunProblemRow[] }) {
  const { t } = useTranslation("catalogue");
  const say = useProblemText();
  return (
    <IndexTable
      selectable={false}
      itemCount={problems.length}
      headings={[{ title: t("detail.where") }, { title: t("detail.problem") }]}
    >
      {problems.map((problem, index) => (
        <IndexTable.Row key={problem.id} id={problem.id} position={index}>
          <IndexTable.Cell>
            <Where problem={problem} />
          </IndexTable.Cell>
          <IndexTable.Cell>
            <Text as="span" breakWord>
              {say(problem.problem, problem.detail)}
            </Text>
          </IndexTable.Cell>
        </IndexTable.Row>
      ))}
    </IndexTable>
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
