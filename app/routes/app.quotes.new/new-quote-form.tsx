import {
  BlockStack,
  Box,
  Button,
  FormLayout,
  InlineStack,
  Select,
  TextField,
  InlineError,
  Text,
} from "@shopify/polaris";
import type { ReactNode } from "react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import {
  type QuoteField,
  quoteForm,
  quoteProblems,
  type QuoteRequest,
  requiredQuoteFields,
} from "#app/quotes/quote-form.ts";
import type { OrderDraft } from "#app/quotes/order-draft.server.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { invalid } from "#app/ui/action-result.ts";
import { FormSaveBar } from "#app/ui/form-save-bar.tsx";
import { useAction } from "#app/ui/use-action.ts";
import { useFocusInvalidField, useFields } from "#app/ui/use-fields.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { QuoteMessage } from "./quote-message.tsx";
import type { QuoteActionResult } from "./quote-message.tsx";
import { Permitted } from "#app/ui/permitted.tsx";

interface NewQuoteFormProps {
  today: string;
  countries: { value: string; label: string }[];
  /** the order to begin from, or the quote to send again; null: neither */
  draft: Pick<OrderDraft, "values" | "products"> | null;
  request: QuoteRequest;
}

const empty: Record<QuoteField, string> = {
  variantId: "",
  orderId: "",
  purchaseDate: "",
  chargedBy: "insurer",
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

function validate(values: Record<QuoteField, string>) {
  const entered = quoteForm.safeParse(values);
  return entered.success ? {} : fieldProblems(entered.error, quoteProblems);
}

/** The form of a new quote. It keeps the typed values whatever the insurer answers. */
export function NewQuoteForm({ today, countries, draft, request }: NewQuoteFormProps) {
  const { t } = useTranslation("quotes");
  const { Form, data: result, state } = useAction<QuoteActionResult>();
  // The request id of the first load: a retry after a lost answer is the same request.
  const [{ requestId, attempt }] = useState(request);
  const isUnderWay = state !== "idle";
  const form = useRef<HTMLFormElement>(null);
  const { values, set, bind, refused, isRefused, problemOf, onSubmit, isChanged, reset } = useFields({
    initial: { ...empty, purchaseDate: today, ...draft?.values },
    validate,
    result,
    messageOf: (problem) => t(`form.problem.${problem}`),
  });
  useFocusInvalidField(form, refused);
  const send = () => form.current?.requestSubmit();
  const variantProblem = problemOf("variantId");
  const field = (name: Exclude<QuoteField, "variantId" | "orderId">) => ({
    ...bind(name),
    label: t(`form.label.${name}`),
    requiredIndicator: requiredQuoteFields.some((each) => each === name),
  });

  return (
    <Form ref={form} method="post" onSubmit={onSubmit} noValidate>
      {/* The save bar closes before the answer, which redirects to the quote's own page. */}
      <FormSaveBar
        id="new-quote"
        open={isChanged && !isUnderWay}
        saving={false}
        onSave={send}
        onDiscard={reset}
      />
      <input type="hidden" name="requestId" value={requestId} />
      <input type="hidden" name="attempt" value={attempt} />
      <input type="hidden" name="orderId" value={values.orderId} />
      <Permitted>
        <BlockStack gap="400">
          {(refused === null || isRefused) && (
            <QuoteMessage result={refused === null ? result : invalid(refused)} onRetry={send} />
          )}
          <Section title={t("form.product")}>
            <ProductPickerField
              value={values.variantId}
              onChange={(variantId) => set("variantId", variantId)}
              error={
                variantProblem &&
                t(variantProblem === "missing" ? "form.noProduct" : `form.problem.${variantProblem}`)
              }
              products={draft?.products ?? []}
            />
            <FormLayout.Group>
              <TextField {...field("purchaseDate")} type="date" max={today} />
              <Select
                {...field("chargedBy")}
                options={[
                  { value: "insurer", label: t("form.chargedBy.insurer") },
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
              <Button submit variant="primary" loading={isUnderWay}>
                {t("form.submit")}
              </Button>
            </InlineStack>
          </Box>
        </BlockStack>
      </Permitted>
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

interface ProductPickerFieldProps {
  /** the chosen variant's numeric id, or "" */
  value: string;
  onChange: (variantId: string) => void;
  error: string | undefined;
  /** values of the order that the form began from */
  products: OrderDraft["products"];
}

const picked = z
  .array(
    z.object({
      title: z.string(),
      variants: z.array(z.object({ id: z.string(), title: z.string().default("") })).min(1),
    }),
  )
  .min(1);
type Product = z.infer<typeof picked>[number];

const numeric = (gid: string) => gid.replace(/^.*\//, "");

/** The product to insure, from the admin's product picker; then its variant, if it has several. */
function ProductPickerField({ value, onChange, error, products }: ProductPickerFieldProps) {
  const { t } = useTranslation("quotes");
  const [chosen, setChosen] = useState<Product | null>(null);
  const product = value === "" ? null : chosen;
  const isOfOrder = product === null && products.some(({ variantId }) => variantId === value);

  async function choose() {
    const answer = picked.safeParse(
      await window.shopify.resourcePicker({ type: "product", action: "select", multiple: false }),
    );
    const first = answer.data?.[0];
    if (!first) return;
    setChosen(first);
    onChange(numeric(first.variants[0]?.id ?? ""));
  }

  return (
    <BlockStack gap="200">
      <input type="hidden" name="variantId" value={value} />
      {isOfOrder && (
        <Select
          label={t("order.product")}
          value={value}
          options={products.map(({ variantId, title }) => ({ value: variantId, label: title }))}
          onChange={onChange}
        />
      )}
      {product && (
        <Text as="p" fontWeight="medium">
          {product.title}
        </Text>
      )}
      {product && product.variants.length > 1 && (
        <Select
          label={t("form.variant")}
          value={value}
          options={product.variants.map(({ id, title }) => ({ value: numeric(id), label: title }))}
          onChange={onChange}
        />
      )}
      <div {...(error === undefined ? {} : { "data-problem": "" })}>
        <Button onClick={() => void choose()} id="choose-product">
          {product || isOfOrder ? t("form.change") : t("form.choose")}
        </Button>
      </div>
      {error !== undefined && <InlineError message={error} fieldID="choose-product" />}
    </BlockStack>
  );
}
