import { BlockStack, Button, Card, FormLayout, Select, Text, TextField } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { useRef } from "react";
import type { CountryOption } from "#app/quotes/countries.server.ts";
import type { OrderView } from "#app/orders/admin/order-page.server.ts";
import type { CustomerField, InsuredCustomer } from "#app/orders/customer.ts";
import { customerDataForm, customerDataProblems } from "#app/orders/admin/order-forms.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { FormSaveBar } from "#app/ui/form-save-bar.tsx";
import { useFields } from "#app/ui/use-fields.ts";
import { useAction } from "#app/ui/use-action.ts";
import { type OrderActionResult, useOrderResultToast } from "./use-order-result-toast.ts";
import { Permitted } from "#app/ui/permitted.tsx";

/** The customer whom the order's plans insure; a form if details are missing. */
export function CustomerCard({ order, countries }: { order: OrderView; countries: CountryOption[] }) {
  const { t } = useTranslation("orders");
  const { customer, missing, refused, items, erasedAt } = order;
  const waits = items.some(
    ({ state, reason, wanted, contractId }) =>
      state === "attention" &&
      (reason === "missing_customer_data" || (missing.length > 0 && wanted && contractId === null)),
  );
  return (
    <Card>
      <section id="customer" aria-label={t("page.customer")}>
        <BlockStack gap="300">
          <Text as="h2" variant="headingMd">
            {t("page.customer")}
          </Text>
          {customer === null ? (
            <Text as="p" tone="subdued">
              {t(erasedAt !== null ? "customer.erased" : "customer.unknown")}
            </Text>
          ) : waits ? (
            <CustomerDataForm
              order={order.name}
              customer={customer}
              missing={missing}
              refused={refused}
              countries={countries}
            />
          ) : (
            <address style={{ fontStyle: "normal", overflowWrap: "anywhere" }}>
              {[
                [customer.firstName, customer.lastName].filter(Boolean).join(" "),
                customer.email,
                customer.phone,
                customer.address1,
                customer.address2,
                [customer.zip, customer.city].filter(Boolean).join(" "),
                customer.country,
              ]
                .filter((line) => line !== null && line !== "")
                .map((line) => (
                  <div key={line}>{line}</div>
                ))}
            </address>
          )}
        </BlockStack>
      </section>
    </Card>
  );
}

interface CustomerDataFormProps {
  /** its name */
  order: string;
  customer: InsuredCustomer;
  missing: CustomerField[];
  /** details that the insurer refuses */
  refused: OrderView["refused"];
  countries: CountryOption[];
}

function validate(values: Record<CustomerField, string>) {
  const entered = customerDataForm.safeParse(values);
  return entered.success ? {} : fieldProblems(entered.error, customerDataProblems);
}

/** The form for missing customer details. It keeps the typed values until they are saved. */
function CustomerDataForm({ order, customer, missing, refused, countries }: CustomerDataFormProps) {
  const { t } = useTranslation("orders");
  const fetcher = useAction<OrderActionResult>();
  useOrderResultToast(order, fetcher.data);
  const initial = {
    email: customer.email ?? "",
    firstName: customer.firstName ?? "",
    lastName: customer.lastName ?? "",
    phone: customer.phone ?? "",
    address1: customer.address1 ?? "",
    address2: customer.address2 ?? "",
    zip: customer.zip ?? "",
    city: customer.city ?? "",
    country: customer.country ?? "",
  };
  const form = useRef<HTMLFormElement>(null);
  const { bind, onSubmit, values, isChanged, reset } = useFields({
    initial,
    validate,
    result: fetcher.data,
    messageOf: (problem) => t(`customer.problem.${problem}`),
  });
  const field = (name: CustomerField) => {
    const bound = bind(name);
    const isRefused = refused?.fields.some((each) => each === name) && values[name] === initial[name];
    const insurerMessage = refused?.insurerMessage;
    return {
      ...bound,
      error: bound.error ?? (isRefused ? t("customer.refused", { insurerMessage }) : undefined),
      label: t(`customer.field.${name}`),
      requiredIndicator: missing.includes(name),
    };
  };

  return (
    <fetcher.Form ref={form} method="post" onSubmit={onSubmit} noValidate>
      <FormSaveBar
        id="customer-data"
        open={isChanged}
        saving={fetcher.state !== "idle"}
        onSave={() => form.current?.requestSubmit()}
        onDiscard={reset}
      />
      <input type="hidden" name="intent" value="customer_data" />
      <Permitted>
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
          <Select {...field("country")} placeholder={t("customer.help.country")} options={countries} />
          <Button submit variant="primary" loading={fetcher.state !== "idle"}>
            {t("customer.save")}
          </Button>
        </FormLayout>
      </Permitted>
    </fetcher.Form>
  );
}
