import { useFetcher } from "@remix-run/react";
import { Autocomplete } from "@shopify/polaris";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useShop } from "#app/ui/shop.tsx";
import type { loader } from "#app/routes/app.products.variants.tsx";

/** A product to type; its variants are offered. */
export function VariantField({ onChoose }: { onChoose: (variantId: string) => void }) {
  const { t } = useTranslation("products");
  const { format, currency } = useShop();
  const { load, data, state } = useFetcher<typeof loader>();
  const [typed, setTyped] = useState("");
  const wanted = typed.trim();
  useEffect(() => {
    if (wanted === "") return;
    const timer = setTimeout(() => load(`/app/products/variants?query=${encodeURIComponent(wanted)}`), 250);
    return () => clearTimeout(timer);
  }, [wanted, load]);
  const isAnswered = state === "idle" && data?.query === wanted;
  const variants = isAnswered ? data.variants : [];
  return (
    <Autocomplete
      options={variants.map(({ variantId, title, priceMinor }) => ({
        value: variantId,
        label: `${title} (${format.money(priceMinor, currency)})`,
      }))}
      selected={[]}
      loading={wanted !== "" && !isAnswered}
      onSelect={([variantId]) => {
        const chosen = variants.find((variant) => variant.variantId === variantId);
        if (!chosen) return;
        setTyped(chosen.title);
        onChoose(chosen.variantId);
      }}
      textField={
        <Autocomplete.TextField
          label={t("inspector.product")}
          placeholder={t("inspector.placeholder")}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
        />
      }
    />
  );
}
