import { Modal, TitleBar } from "@shopify/app-bridge-react";
import { BlockStack, Box, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface Props {
  open: boolean;
  title: string;
  /** what will happen */
  body: string;
  /** the verb of what will happen: "Disconnect", never "OK" */
  confirm: string;
  /** how to leave it, where "Cancel" could be taken for what will happen */
  leave?: string;
  destructive?: boolean;
  /** something has to be chosen first */
  disabled?: boolean;
  /** what is to be chosen before it happens */
  children?: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
}

/** A confirmation in the admin's own dialog, before an action that is not easily undone. */
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
  // Only while it is open: App Bridge makes the dialog outside of React's tree, which a page must not begin with.
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
        {/* They may stand in a form, which they must not send. */}
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
