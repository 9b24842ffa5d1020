import { Modal, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";

interface Props {
  open: boolean;
  title: string;
  /** what will happen */
  body: string;
  /** the verb of what will happen: "Disconnect", never "OK" */
  confirm: string;
  destructive?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that is not easily undone. Focus goes to the dialog and back to what opened it. */
export function Confirm({ open, title, body, confirm, destructive = false, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Modal
      open={open}
      title={title}
      onClose={onClose}
      primaryAction={{
        content: confirm,
        destructive,
        onAction: () => {
          onClose();
          onConfirm();
        },
      }}
      secondaryActions={[{ content: t("action.cancel"), onAction: onClose }]}
    >
      <Modal.Section>
        <Text as="p">{body}</Text>
      </Modal.Section>
    </Modal>
  );
}
