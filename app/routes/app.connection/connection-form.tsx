import type { FetcherWithComponents } from "@remix-run/react";
import { Button, FormLayout, TextField } from "@shopify/polaris";
import type { FormEvent } from "react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { connectionForm, connectionProblems } from "#app/merchants/connection.ts";
import type {
  ConnectionField,
  ConnectionProblems,
  ConnectionView,
  Environment,
} from "#app/merchants/connection.ts";
import { useShop } from "#app/ui/shop.tsx";
import type { Answer } from "./answer.ts";

interface Props {
  name: Environment;
  connection: ConnectionView | null;
  /** nothing is connected yet and this is where to begin */
  first: boolean;
  fetcher: FetcherWithComponents<Answer>;
}

const empty = { storeId: "", token: "", organisationToken: "" };

/** Store id and tokens of one account. Tokens go in and never come out: once they are set, a new form is shown. */
export function ConnectionForm({ name, connection, first, fetcher }: Props) {
  const { t } = useTranslation("connection");
  const { format } = useShop();
  const [values, setValues] = useState({ ...empty, storeId: connection?.storeId ?? "" });
  const [found, setFound] = useState<ConnectionProblems | null>(null);
  const answer = fetcher.data;
  const problems = found ?? (answer && "problems" in answer ? answer.problems : {});

  function validate(event: FormEvent) {
    const entered = connectionForm.safeParse({ environment: name, ...values });
    setFound(entered.success ? {} : connectionProblems(entered.error));
    if (!entered.success) event.preventDefault();
  }

  const field = (which: ConnectionField) => ({
    name: which,
    label: t(`label.${which}`),
    value: values[which],
    onChange: (value: string) => setValues((now) => ({ ...now, [which]: value })),
    error: problems[which] && t(`problem.${problems[which]}`),
    autoComplete: "off",
  });
  const tokenHelp = connection
    ? t("help.tokenSet", { date: format.date(connection.tokenSetAt) })
    : t("help.token", { environment: t(`environment.${name}`).toLowerCase() });
  const organisationHelp = connection?.organisationTokenSetAt
    ? t("help.organisationTokenSet", { date: format.date(connection.organisationTokenSetAt) })
    : t("help.organisationToken");

  return (
    <fetcher.Form method="post" onSubmit={validate} noValidate>
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
