import { Select } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ListedProduct } from "#app/catalogue/product-categories/product-list.ts";
import type { ActionResult } from "#app/ui/action-result.ts";
import { useErrorBanner } from "#app/ui/error-banner.tsx";
import { useToast, useActionResult, useAction } from "#app/ui/use-action.ts";

const CATEGORY = "category ";

/** `later`: it is kept here, and a job writes it to the shop. */
export type OverrideActionResult = ActionResult<"saved" | "later", "unknown_product" | "changed_elsewhere">;

/** The category override of one product: the rules decide, no insurance, or a category. Saved as soon as it is chosen. */
export function CategorySelect({ product, categories }: { product: ListedProduct; categories: string[] }) {
  const { t } = useTranslation("products");
  const toast = useToast();
  const showError = useErrorBanner();
  const fetcher = useAction<OverrideActionResult>();
  useActionResult(fetcher.data, (result) => {
    const message = result.state === "success" ? result.value : result.reason;
    const text = t(`list.said.${message}`, { title: product.title });
    if (result.state === "success") toast(text);
    else showError(text);
  });
  const { productId, title, decidedBy, categoryId, version } = product;
  const now = decidedBy !== "override" ? "clear" : categoryId === null ? "none" : CATEGORY + categoryId;
  const known =
    categoryId === null || categories.includes(categoryId) ? categories : [...categories, categoryId];

  function choose(value: string) {
    const override: Record<string, string> = value.startsWith(CATEGORY)
      ? { override: "category", category: value.slice(CATEGORY.length) }
      : { override: value };
    const action = `/app/products/list?version=${encodeURIComponent(version)}`;
    fetcher.submit({ product: productId, ...override }, { method: "post", action });
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
