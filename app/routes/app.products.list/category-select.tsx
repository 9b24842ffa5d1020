import { useFetcher } from "@remix-run/react";
import { Select } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ListedProduct } from "#app/catalogue/product-categories/product-list.ts";
import { useToast } from "#app/ui/toast.ts";
import { useAnswer } from "#app/ui/use-answer.ts";
import type { Answer } from "./answer.ts";

const CATEGORY = "category ";

/** The merchant's override for one product: the rules decide, no insurance, or a category. Saved as soon as it is chosen. */
export function CategorySelect({ product, categories }: { product: ListedProduct; categories: string[] }) {
  const { t } = useTranslation("products");
  const toast = useToast();
  const fetcher = useFetcher<Answer>();
  useAnswer(fetcher.data, ({ state }) => toast(t(`list.said.${state}`), { isError: state !== "saved" }));
  const { productId, title, decidedBy, categoryId } = product;
  const now = decidedBy !== "override" ? "clear" : categoryId === null ? "none" : CATEGORY + categoryId;
  const known =
    categoryId === null || categories.includes(categoryId) ? categories : [...categories, categoryId];

  function choose(value: string) {
    const override: Record<string, string> = value.startsWith(CATEGORY)
      ? { override: "category", category: value.slice(CATEGORY.length) }
      : { override: value };
    fetcher.submit({ product: productId, ...override }, { method: "post" });
  }

  return (
    <Select
      label={t("list.overrideFor", { title })}
      labelHidden
      disabled={fetcher.state !== "idle"}
      options={[
        { value: "clear", label: t("list.asRules") },
        { value: "none", label: t("rules.excluded") },
        ...known.map((value) => ({ value: CATEGORY + value, label: value })),
      ]}
      value={now}
      onChange={choose}
    />
  );
}
