import type { FetcherWithComponents } from "@remix-run/react";
import { Button, FormLayout, TextField } from "@shopify/polaris";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { connectionForm, connectionProblems } from "#app/merchants/connection.ts";
import type { ConnectionField, ConnectionView, Environment } from "#app/merchants/connection.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { FormSaveBar } from "#app/ui/form-save-bar.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useActionResult } from "#app/ui/use-action-result.ts";
import { useFields } from "#app/ui/use-fields.ts";
import type { ConnectionActionResult } from "#app/ui/connection-message.tsx";

interface Props {
  name: Environment;
  connection: ConnectionView | null;
  /** nothing is connected yet and this is where to begin */
  first: boolean;
  fetcher: FetcherWithComponents<ConnectionActionResult>;
}

function validate(values: Record<ConnectionField, string>) {
  const entered = connectionForm.safeParse(values);
  return entered.success ? {} : fieldProblems(entered.error, connectionProblems);
}

/** Store id and tokens of one account. Tokens go in and never come out: once they are set, a new form is shown. */
export function ConnectionForm({ name, connection, first, fetcher }: Props) {
  const { t } = useTranslation("connection");
  const { format } = useShop();
  const form = useRef<HTMLFormElement>(null);
  const { bind, onSubmit, isChanged, reset } = useFields({
    initial: { storeId: connection?.storeId ?? "", token: "", organisationToken: "" },
    validate,
    result: fetcher.data,
    messageOf: (problem) => t(`problem.${problem}`),
  });
  const field = (which: ConnectionField) => ({ ...bind(which), label: t(`label.${which}`) });
  const tokenHelp = connection
    ? t("help.tokenSet", { date: format.date(connection.tokenSetAt) })
    : t("help.token", { environment: t(`environment.${name}`).toLowerCase() });
  const organisationHelp = connection?.organisationTokenSetAt
    ? t("help.organisationTokenSet", { date: format.date(connection.organisationTokenSetAt) })
    : t("help.organisationToken");

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
      <FormSaveBar
        id={`connection-${name}`}
        open={isChanged}
        saving={fetcher.state !== "idle"}
        onSave={() => form.current?.requestSubmit()}
        onDiscard={reset}
      />
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
          {...(first ? { focused: true } : {})}
        />
        <TextField {...field("token")} type="password" requiredIndicator={!connection} helpText={tokenHelp} />
        <TextField {...field("organisationToken")} type="password" helpText={organisationHelp} />
        <Button submit variant="primary" loading={fetcher.formData?.get("intent") === "connect"}>
          {connection ? t("saveChanges") : t("connect")}
        </Button>
      </FormLayout>
    </fetcher.Form>
  );
}
