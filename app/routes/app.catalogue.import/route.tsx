/** Import of references from a file: first what it would change, then, once confirmed, for real. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useFetcher } from "@remix-run/react";
import { Banner, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { importReferences, previewImport } from "#app/catalogue/references/import.server.ts";
import { importView } from "#app/catalogue/references/import-view.ts";
import type { ImportView } from "#app/catalogue/references/import-view.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { CataloguePage } from "#app/ui/catalogue-page.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { FileField } from "./file-field.tsx";
import { MAX_FILE_BYTES } from "./limits.ts";
import { PreviewCard } from "./preview-card.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireMerchant(request);
  return null;
}

const form = z.object({
  intent: z.enum(["preview", "import"]),
  file: z.instanceof(File).refine(({ size }) => size > 0 && size <= MAX_FILE_BYTES),
});

type Answer =
  | { done: "preview"; preview: ImportView }
  | { done: "import"; imported: number; runId: string }
  | { done: "refused" };

export async function action({ request }: ActionFunctionArgs): Promise<Answer> {
  const { shop } = await requireMerchant(request);
  const given = form.safeParse(Object.fromEntries(await request.formData()));
  if (!given.success) return { done: "refused" };
  const text = await given.data.file.text();
  return given.data.intent === "preview"
    ? { done: "preview", preview: importView(await previewImport(shop, text)) }
    : { done: "import", ...(await importReferences(shop, text)) };
}

export default function Import() {
  const { t } = useTranslation("catalogue");
  const fetcher = useFetcher<Answer>();
  const [file, setFile] = useState<File | null>(null);
  const answer = fetcher.state === "idle" ? fetcher.data : undefined;

  function send(intent: "preview" | "import", chosen: File) {
    const body = new FormData();
    body.set("intent", intent);
    body.set("file", chosen);
    fetcher.submit(body, { method: "post", encType: "multipart/form-data" });
  }

  return (
    <CataloguePage>
      {answer?.done === "import" && (
        <Banner tone="success" action={{ content: t("import.seeSync"), url: "/app/catalogue" }}>
          <Text as="p">{t("import.done", { count: answer.imported })}</Text>
        </Banner>
      )}
      <TitledCard title={t("import.title")} help={t("import.body")}>
        <FileField
          file={file}
          refused={answer?.done === "refused"}
          reading={fetcher.state !== "idle"}
          onChoose={(chosen) => {
            setFile(chosen);
            send("preview", chosen);
          }}
        />
      </TitledCard>
      {answer?.done === "preview" && file && (
        <PreviewCard preview={answer.preview} onConfirm={() => send("import", file)} />
      )}
    </CataloguePage>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
