import type { FetcherWithComponents } from "@remix-run/react";
import { Button, ButtonGroup, FormLayout, TextField } from "@shopify/polaris";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { connectionForm, connectionProblems, firstConnectionForm } from "#app/merchants/connection.ts";
import type { ConnectionField, ConnectionView, Environment } from "#app/merchants/connection.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { useActionResult } from "#app/ui/use-action-result.ts";
import { useFields } from "#app/ui/use-fields.ts";
import { useFocusInvalidField } from "#app/ui/use-focus-invalid-field.ts";
import type { ConnectionActionResult } from "#app/ui/connection-message.tsx";

interface Props {
  name: Environment;
  connection: ConnectionView | null;
  /** the cursor begins here */
  hasFocus: boolean;
  fetcher: FetcherWithComponents<ConnectionActionResult>;
  /** closes the form; none where there is nothing else to show */
  onCancel?: () => void;
}

/** Store id and tokens of one account. Tokens go in and never come out: once they are set, a new form is shown. */
export function ConnectionForm({ name, connection, hasFocus, fetcher, onCancel }: Props) {
  const { t } = useTranslation(["connection", "common"]);
  const form = useRef<HTMLFormElement>(null);
  const { bind, onSubmit, refused } = useFields<ConnectionField, (typeof connectionProblems)[number]>({
    initial: { storeId: connection?.storeId ?? "", token: "", organisationToken: "" },
    validate: (values) => {
      const { error } = (connection ? connectionForm : firstConnectionForm).safeParse(values);
      return error ? fieldProblems(error, connectionProblems) : {};
    },
    result: fetcher.data,
    messageOf: (problem) => t(`problem.${problem}`),
  });
  useFocusInvalidField(form, refused);
  const field = (which: ConnectionField) => ({ ...bind(which), label: t(`label.${which}`) });

  const [otherStore, setOtherStore] = useState<string | null>(null);
  useActionResult(fetcher.data, (result) => {
    if (result.state === "refused" && result.reason === "other_store") setOtherStore(result.detail);
  });

  function connectAllTheSame() {
    if (!form.current) return;
    const entered = new FormData(form.current);
    entered.set("agreed", "yes");
    fetcher.submit(entered, { method: "post" });
  }

  return (
    <fetcher.Form ref={form} method="post" onSubmit={onSubmit} noValidate>
      <ConfirmModal
        open={otherStore !== null}
        title={t("confirm.otherStore.title", { store: otherStore })}
        body={t("confirm.otherStore.body", { store: otherStore })}
        confirm={t("confirm.otherStore.action")}
        destructive
        onConfirm={connectAllTheSame}
        onClose={() => setOtherStore(null)}
      />
      <input type="hidden" name="intent" value="connect" />
      <input type="hidden" name="environment" value={name} />
      <FormLayout>
        {/* Not the attribute autofocus: browsers refuse it inside the admin's frame, and complain. */}
        <TextField
          {...field("storeId")}
          helpText={t("help.storeId")}
          requiredIndicator
          {...(hasFocus ? { focused: true } : {})}
        />
        <TextField
          {...field("token")}
          type="password"
          requiredIndicator={!connection}
          helpText={
            connection
              ? t("help.keepsToken")
              : t("help.token", { environment: t(`environment.${name}`).toLowerCase() })
          }
        />
        <TextField
          {...field("organisationToken")}
          type="password"
          helpText={t(connection?.organisationTokenSetAt ? "help.keepsToken" : "help.organisationToken")}
        />
        <ButtonGroup>
          <Button submit variant="primary" loading={fetcher.formData?.get("intent") === "connect"}>
            {connection ? t("saveChanges") : t("connect")}
          </Button>
          {onCancel && <Button onClick={onCancel}>{t("common:action.cancel")}</Button>}
        </ButtonGroup>
      </FormLayout>
    </fetcher.Form>
  );
}
