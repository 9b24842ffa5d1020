import { BlockStack, DropZone, InlineError, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { MAX_FILE_BYTES } from "./limits.ts";

interface Props {
  file: File | null;
  /** the server did not take it */
  refused: boolean;
  reading: boolean;
  onChoose: (file: File) => void;
}

/** A file to drop or choose. What is too large or empty is said before it is sent. */
export function FileField({ file, refused, reading, onChoose }: Props) {
  const { t } = useTranslation("catalogue");
  const [problem, setProblem] = useState<"empty" | "tooLarge" | null>(null);
  const said = problem ?? (refused ? "empty" : null);
  function take([chosen]: File[]) {
    if (!chosen) return;
    const found = chosen.size === 0 ? "empty" : chosen.size > MAX_FILE_BYTES ? "tooLarge" : null;
    setProblem(found);
    if (found === null) onChoose(chosen);
  }
  return (
    <BlockStack gap="100">
      <DropZone
        label={t("import.file")}
        allowMultiple={false}
        disabled={reading}
        variableHeight
        onDrop={(files) => take(files)}
      >
        <DropZone.FileUpload actionTitle={t("import.choose")} actionHint={t("import.help")} />
      </DropZone>
      {file && (
        <Text as="p" tone="subdued">
          {file.name}
        </Text>
      )}
      {said && <InlineError message={t(`import.${said}`)} fieldID="import-file" />}
    </BlockStack>
  );
}
