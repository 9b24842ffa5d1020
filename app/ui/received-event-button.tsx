import { useFetcher } from "@remix-run/react";
import { Button } from "@shopify/polaris";
import { Modal, TitleBar } from "@shopify/app-bridge-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { indentJson } from "./indent-json.ts";
import { useTopicText } from "./use-topic-text.ts";
import styles from "./received-event-button.module.css";

interface Props {
  inboxId: string;
  label: string;
  /** what it is about: "Order #1001" */
  of?: string;
}

/** Shows an event of the platform as it was received. */
export function ReceivedEventButton({ inboxId, label, of }: Props) {
  const { data, state, load } = useFetcher<{ topic: string; body: string }>();
  const topicText = useTopicText();
  const { t } = useTranslation("activity");
  const [open, setOpen] = useState(false);
  function show() {
    setOpen(true);
    load(`/app/events/${encodeURIComponent(inboxId)}`);
  }
  return (
    <>
      <Button onClick={show} loading={state !== "idle"}>
        {label}
      </Button>
      {open && data !== undefined && (
        <Modal open onHide={() => setOpen(false)} variant="large">
          <pre className={styles.body} tabIndex={0}>
            {data.body === "" ? t("bodyDeleted") : indentJson(data.body)}
          </pre>
          <TitleBar title={[topicText(data.topic), of].filter(Boolean).join(" – ")} />
        </Modal>
      )}
    </>
  );
}
