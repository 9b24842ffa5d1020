/** Import of references from a file: first what it would change, then, once confirmed, for real. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import {
  Badge,
  Banner,
  BlockStack,
  Box,
  Button,
  Card,
  DropZone,
  InlineError,
  InlineStack,
  List,
  Text,
} from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import {
  countImported,
  importReferences,
  type ImportView,
  importView,
  previewImport,
} from "#app/catalogue/references/import.server.ts";
import { parseReferences } from "#app/catalogue/references/import.ts";
import { environment } from "#app/merchants/connection.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { bodyLimits } from "#app/platform/body.server.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { type ActionResult, invalid, refused, success } from "#app/ui/action-result.ts";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { CataloguePage } from "#app/ui/tabbed-page.tsx";
import styles from "#app/ui/table.module.css";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useAction } from "#app/ui/use-action.ts";
import { usePriceBandText, useProblemText } from "#app/ui/use-catalogue-texts.ts";
import { RetireImportedButton } from "#app/ui/retire-imported-button.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const { environment } = merchant;
  return { environment, imported: await countImported(shop, environment) };
}

const form = z.object({
  intent: z.enum(["preview", "import"]),
  /** the account that the page showed */
  environment,
  file: z.instanceof(File),
});

type ImportActionResult = ActionResult<
  { preview: ImportView } | { imported: number; runId: string },
  "account_changed",
  "file",
  FileProblem
>;

export const action = pageAction(
  async ({ request }, { shop, merchant, actor }): Promise<ImportActionResult> => {
    const { intent, environment: shown, file } = await parseForm(request, form, bodyLimits.file);
    if (shown !== merchant.environment) return refused("account_changed");
    const problem = findFileProblem(file);
    if (problem !== null) return invalid({ file: problem });
    const parsed = parseReferences(await file.text());
    return intent === "preview"
      ? success({ preview: importView(await previewImport(shop, shown, parsed)) })
      : success(await importReferences(shop, shown, parsed, actor));
  },
);

export default function Import() {
  const { environment, imported } = useLoaderData<typeof loader>();
  const { t } = useTranslation("catalogue");
  const fetcher = useAction<ImportActionResult>();
  const [file, setFile] = useState<File | null>(null);
  const result = fetcher.state === "idle" ? fetcher.data : undefined;
  const done = result?.state === "success" ? result.value : null;

  function send(intent: "preview" | "import", chosen: File) {
    const body = new FormData();
    body.set("intent", intent);
    body.set("environment", environment);
    body.set("file", chosen);
    fetcher.submit(body, { method: "post", encType: "multipart/form-data" });
  }

  return (
    <CataloguePage>
      {done && "imported" in done && (
        <Banner tone="success" action={{ content: t("import.seeSync"), url: "/app/catalogue" }}>
          <Text as="p">{t("import.done", { count: done.imported })}</Text>
        </Banner>
      )}
      {result?.state === "refused" && (
        <Banner tone="warning">
          <Text as="p">{t("accountChanged")}</Text>
        </Banner>
      )}
      <TitledCard title={t("import.title")} help={t("import.body")}>
        <FileField
          file={file}
          problem={result?.state === "invalid" ? result.problems.file : undefined}
          reading={fetcher.state !== "idle"}
          onChoose={(chosen) => {
            setFile(chosen);
            send("preview", chosen);
          }}
        />
        {imported > 0 && (
          <InlineStack>
            <RetireImportedButton environment={environment} reference={null} count={imported} />
          </InlineStack>
        )}
      </TitledCard>
      {done && "preview" in done && file && (
        <ImportPreviewCard preview={done.preview} onConfirm={() => send("import", file)} />
      )}
    </CataloguePage>
  );
}

interface FileFieldProps {
  file: File | null;
  /** what the server found */
  problem: FileProblem | undefined;
  reading: boolean;
  onChoose: (file: File) => void;
}

/** A file to drop or choose. What is too large or empty is said before it is sent. */
function FileField({ file, problem, reading, onChoose }: FileFieldProps) {
  const { t } = useTranslation("catalogue");
  const [found, setFound] = useState<FileProblem | null>(null);
  const shown = found ?? problem;
  function choose([chosen]: File[]) {
    if (!chosen) return;
    const next = findFileProblem(chosen);
    setFound(next);
    if (next === null) onChoose(chosen);
  }
  return (
    <BlockStack gap="100">
      <DropZone
        label={t("import.file")}
        allowMultiple={false}
        disabled={reading}
        variableHeight
        onDrop={(files) => choose(files)}
      >
        <DropZone.FileUpload actionTitle={t("import.choose")} actionHint={t("import.help")} />
      </DropZone>
      {file && (
        <Text as="p" tone="subdued">
          {file.name}
        </Text>
      )}
      {shown && <InlineError message={t(`import.${shown}`)} fieldID="import-file" />}
    </BlockStack>
  );
}

/** The largest file that is taken: 5,000 references with their texts. Parsing it blocks the process for 0.3 s at most. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;

type FileProblem = "empty" | "tooLarge";

function findFileProblem({ size }: File): FileProblem | null {
  if (size === 0) return "empty";
  return size > MAX_FILE_BYTES ? "tooLarge" : null;
}

/** What the file would change, and the button that does it. */
function ImportPreviewCard({ preview, onConfirm }: { preview: ImportView; onConfirm: () => void }) {
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

/** What is wrong with the file, line by line. */
function LineErrorsBanner({ preview: { errors, firstErrors } }: { preview: ImportView }) {
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

export { clientAction, shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
