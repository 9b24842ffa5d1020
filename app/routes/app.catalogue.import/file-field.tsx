import { BlockStack, DropZone, InlineError, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { findFileProblem } from "./file-problem.ts";
import type { FileProblem } from "./file-problem.ts";

interface Props {
  file: File | null;
  /** what the server found */
  problem: FileProblem | undefined;
  reading: boolean;
  onChoose: (file: File) => void;
}

/** A file to drop or choose. What is too large or empty is said before it is sent. */
export function FileField({ file, problem, reading, onChoose }: Props) {
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
