import { Modal, TitleBar } from "@shopify/app-bridge-react";
import { Box, Text } from "@shopify/polaris";
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
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that is not easily undone, in the admin's own dialog. */
export function ConfirmModal({
  open,
  title,
  body,
  confirm,
  leave,
  destructive = false,
  onConfirm,
  onClose,
}: Props) {
  const { t } = useTranslation();
  function confirmed() {
    onClose();
    onConfirm();
  }
  // Only while it is asked: App Bridge makes the dialog outside of React's tree, which a page must not begin with.
  if (!open) return null;
  return (
    <Modal open onHide={onClose}>
      <Box padding="400">
        <Text as="p">{body}</Text>
      </Box>
      <TitleBar title={title}>
        <button variant="primary" {...(destructive ? { tone: "critical" } : {})} onClick={confirmed}>
          {confirm}
        </button>
        <button onClick={onClose}>{leave ?? t("action.cancel")}</button>
      </TitleBar>
    </Modal>
  );
}
