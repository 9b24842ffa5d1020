/** Import of references from a file: first what it would change, then, once confirmed, for real. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Banner, InlineStack, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { countImported, importReferences, previewImport } from "#app/catalogue/references/import.server.ts";
import { parseReferences } from "#app/catalogue/references/import.ts";
import { importView } from "#app/catalogue/references/import-view.ts";
import type { ImportView } from "#app/catalogue/references/import-view.ts";
import { environment } from "#app/merchants/connection.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { bodyLimits } from "#app/platform/body.server.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { invalid, refused, success } from "#app/ui/action-result.ts";
import type { ActionResult } from "#app/ui/action-result.ts";
import { CataloguePage } from "#app/ui/tabbed-page.tsx";
import { WithdrawImportedButton } from "#app/ui/withdraw-imported-button.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useAction } from "#app/ui/use-action.ts";
import { FileField } from "./file-field.tsx";
import { findFileProblem } from "./file-problem.ts";
import type { FileProblem } from "./file-problem.ts";
import { ImportPreviewCard } from "./import-preview-card.tsx";

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
            <WithdrawImportedButton environment={environment} reference={null} count={imported} />
          </InlineStack>
        )}
      </TitledCard>
      {done && "preview" in done && file && (
        <ImportPreviewCard preview={done.preview} onConfirm={() => send("import", file)} />
      )}
    </CataloguePage>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
