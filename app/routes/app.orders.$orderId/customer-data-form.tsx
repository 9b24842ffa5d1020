import { useFetcher } from "@remix-run/react";
import { Button, FormLayout, Text, TextField } from "@shopify/polaris";
import type { FormEvent } from "react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CustomerField, InsuredCustomer } from "#app/plans/ledger/customer.ts";
import { findCustomerDataProblems, customerDataForm } from "#app/plans/orders/customer-data-form.ts";
import type { CustomerDataProblems } from "#app/plans/orders/customer-data-form.ts";
import type { OrderActionResult } from "./answer.ts";
import { useResultToast } from "./use-result-toast.ts";

interface Props {
  customer: InsuredCustomer;
  missing: CustomerField[];
}

/** Supplies what the order did not tell of its customer. What is entered stays until the service side takes it. */
export function CustomerDataForm({ customer, missing }: Props) {
  const { t } = useTranslation("orders");
  const fetcher = useFetcher<OrderActionResult>();
  const [values, setValues] = useState<Partial<Record<CustomerField, string>>>({});
  const [found, setFound] = useState<CustomerDataProblems | null>(null);
  useResultToast(fetcher);
  const answer = fetcher.data;
  const problems = found ?? (answer && "problems" in answer ? answer.problems : {});
  const valueOf = (field: CustomerField) => values[field] ?? customer[field] ?? "";

  function validate(event: FormEvent) {
    const entered = customerDataForm.safeParse(
      Object.fromEntries(customerDataForm.keyof().options.map((field) => [field, valueOf(field)])),
    );
    setFound(entered.success ? null : findCustomerDataProblems(entered.error));
    if (!entered.success) event.preventDefault();
  }
  const field = (name: CustomerField, autoComplete = "off") => ({
    name,
    autoComplete,
    label: t(`customer.field.${name}`),
    value: valueOf(name),
    requiredIndicator: missing.includes(name),
    onChange: (value: string) => setValues((now) => ({ ...now, [name]: value })),
    error: problems[name] && t(`customer.problem.${problems[name]}`),
  });

  return (
    <fetcher.Form method="post" onSubmit={validate} noValidate>
      <input type="hidden" name="intent" value="customer_data" />
      <FormLayout>
        <Text as="p" tone="subdued">
          {t("customer.why")}
        </Text>
        <TextField {...field("firstName")} />
        <TextField {...field("lastName")} />
        <TextField {...field("email")} type="email" />
        <TextField {...field("phone")} type="tel" helpText={t("customer.help.phone")} />
        <TextField {...field("address1")} />
        <TextField {...field("address2")} />
        <FormLayout.Group condensed>
          <TextField {...field("zip")} />
          <TextField {...field("city")} />
        </FormLayout.Group>
        <TextField {...field("country")} maxLength={2} helpText={t("customer.help.country")} />
        <Button submit variant="primary" loading={fetcher.state !== "idle"}>
          {t("customer.save")}
        </Button>
      </FormLayout>
    </fetcher.Form>
  );
}
