import { BlockStack, Card, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { CountryOption } from "#app/leads/countries.server.ts";
import type { OrderView } from "#app/plans/orders/order-page.server.ts";
import { CustomerDataForm } from "./customer-data-form.tsx";

/** Whom the plans of the order insure; a form where something is missing. */
export function CustomerCard({ order, countries }: { order: OrderView; countries: CountryOption[] }) {
  const { t } = useTranslation("orders");
  const { customer, missing, refused, units, erasedAt } = order;
  const waits = units.some(
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
