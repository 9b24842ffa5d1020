import { Form } from "@remix-run/react";
import { BlockStack, Box, Button, FormLayout, InlineStack, Select, TextField } from "@shopify/polaris";
import type { FormEvent, ReactNode } from "react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CreateLeadResult } from "#app/leads/create.server.ts";
import { leadForm, problemsOf } from "#app/leads/lead-form.ts";
import type { LeadField, LeadFormProblems } from "#app/leads/lead-form.ts";
import { useFocusProblem } from "#app/ui/focus-problem.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useFields } from "#app/ui/use-fields.ts";
import { ProductChoice } from "./product-choice.tsx";
import { LeadMessage } from "./lead-message.tsx";

interface Props {
  today: string;
  countries: { value: string; label: string }[];
  result: CreateLeadResult | null;
  saving: boolean;
}

const empty: Record<LeadField, string> = {
  variantId: "",
  purchaseDate: "",
  chargedBy: "service",
  email: "",
  firstName: "",
  lastName: "",
  phone: "",
  birthDate: "",
  address1: "",
  address2: "",
  zip: "",
  city: "",
  country: "FR",
  sellerFirstName: "",
  sellerLastName: "",
};

const none: LeadFormProblems = {};

/** The form of a new lead. What was entered stays, whatever the service answers. */
export function LeadEntry({ today, countries, result, saving }: Props) {
  const { t } = useTranslation("leads");
  const [found, setFound] = useState<LeadFormProblems | null>(null);
  const problems = found ?? (result?.state === "invalid" ? result.problems : none);
  const form = useRef<HTMLFormElement>(null);
  useFocusProblem(form, problems);
  const { values, set, bind } = useFields({ ...empty, purchaseDate: today }, (name: LeadField) => {
    const problem = problems[name];
    return problem && t(`form.problem.${problem}`);
  });
  const field = (name: Exclude<LeadField, "variantId">) => ({
    ...bind(name),
    label: t(`form.label.${name}`),
  });

  function validate(event: FormEvent) {
    const entered = leadForm.safeParse(values);
    setFound(entered.success ? null : problemsOf(entered.error));
    if (!entered.success) event.preventDefault();
  }

  return (
    <Form ref={form} method="post" onSubmit={validate} noValidate>
      <BlockStack gap="400">
        <LeadMessage result={found ? { state: "invalid", problems: found } : result} />
        <Section title={t("form.product")}>
          <ProductChoice
            value={values.variantId}
            onChange={(variantId) => set("variantId", variantId)}
            error={problems.variantId && t("form.noProduct")}
          />
          <FormLayout.Group>
            <TextField {...field("purchaseDate")} type="date" max={today} />
            <Select
              {...field("chargedBy")}
              options={[
                { value: "service", label: t("form.chargedBy.service") },
                { value: "merchant", label: t("form.chargedBy.merchant") },
              ]}
            />
          </FormLayout.Group>
        </Section>
        <Section title={t("form.customer")}>
          <FormLayout.Group>
            <TextField {...field("firstName")} />
            <TextField {...field("lastName")} />
          </FormLayout.Group>
          <FormLayout.Group>
            <TextField {...field("email")} type="email" />
            <TextField {...field("phone")} type="tel" />
          </FormLayout.Group>
          <TextField {...field("birthDate")} type="date" max={today} />
          <TextField {...field("address1")} />
          <TextField {...field("address2")} />
          <FormLayout.Group condensed>
            <TextField {...field("zip")} />
            <TextField {...field("city")} />
            <Select {...field("country")} options={countries} />
          </FormLayout.Group>
        </Section>
        <Section title={t("form.seller")} help={t("form.sellerHelp")}>
          <FormLayout.Group>
            <TextField {...field("sellerFirstName")} />
            <TextField {...field("sellerLastName")} />
          </FormLayout.Group>
        </Section>
        <Box paddingInline={{ xs: "400", sm: "0" }}>
          <InlineStack align="end">
            <Button submit variant="primary" loading={saving}>
              {t("form.submit")}
            </Button>
          </InlineStack>
        </Box>
      </BlockStack>
    </Form>
  );
}

function Section({ children, ...head }: { title: string; help?: string; children: ReactNode }) {
  return (
    <TitledCard {...head}>
      <FormLayout>{children}</FormLayout>
    </TitledCard>
  );
}
