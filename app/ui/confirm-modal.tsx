import { Modal, TitleBar } from "@shopify/app-bridge-react";
import { BlockStack, Box, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface Props {
  open: boolean;
  title: string;
  /** the effect of the action */
  body: string;
  /** the verb of the action: "Disconnect", never "OK" */
  confirm: string;
  /** the label that closes the dialog, if "Cancel" is ambiguous */
  leave?: string;
  destructive?: boolean;
  /** the merchant has to choose something first */
  disabled?: boolean;
  /** the choice before the action */
  children?: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
}

/** A confirmation in the admin's own dialog, before an action that is hard to undo. */
export function ConfirmModal({
  open,
  title,
  body,
  confirm,
  leave,
  destructive = false,
  disabled = false,
  children,
  onConfirm,
  onClose,
}: Props) {
  const { t } = useTranslation();
  function confirmed() {
    onClose();
    onConfirm();
  }
  // Rendered only while open: App Bridge puts the dialog outside of React's tree, which breaks hydration.
  if (!open) return null;
  return (
    <Modal open onHide={onClose}>
      <Box padding="400">
        <BlockStack gap="300">
          <Text as="p">{body}</Text>
          {children}
        </BlockStack>
      </Box>
      <TitleBar title={title}>
        {/* Inside a form, the buttons must not submit it. */}
        <button
          type="button"
          variant="primary"
          {...(destructive ? { tone: "critical" } : {})}
          disabled={disabled}
          onClick={confirmed}
        >
          {confirm}
        </button>
        <button type="button" onClick={onClose}>
          {leave ?? t("action.cancel")}
        </button>
      </TitleBar>
    </Modal>
  );
}
