import { SaveBar } from "@shopify/app-bridge-react";
import { useTranslation } from "react-i18next";
import { useUnsavedChanges } from "./unsaved-changes.tsx";

interface Props {
  /** unique on the page */
  id: string;
  /** something was changed and not saved */
  open: boolean;
  saving: boolean;
  onSave: () => void;
  onDiscard: () => void;
}

/** The admin's bar "Unsaved changes", shown by App Bridge, and the question before they would be lost. */
export function FormSaveBar({ id, open, saving, onSave, onDiscard }: Props) {
  const { t } = useTranslation();
  useUnsavedChanges({ id, active: open, onDiscard });
  return (
    <SaveBar id={id} open={open}>
      <button variant="primary" type="button" onClick={onSave} {...(saving ? { loading: "" } : {})}>
        {t("action.save")}
      </button>
      <button type="button" onClick={onDiscard} disabled={saving}>
        {t("action.discard")}
      </button>
    </SaveBar>
  );
}
