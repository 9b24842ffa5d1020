import { BlockStack, Button, InlineError, Select, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import type { OrderDraft } from "#app/leads/order-draft.server.ts";

interface Props {
  /** the chosen variant's numeric id, or "" */
  value: string;
  onChange: (variantId: string) => void;
  error: string | undefined;
  /** of the order that the form was begun from */
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

/** The product to insure, from the admin's own product picker; then its variant, where it has several. */
export function ProductPickerField({ value, onChange, error, products }: Props) {
  const { t } = useTranslation("leads");
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
