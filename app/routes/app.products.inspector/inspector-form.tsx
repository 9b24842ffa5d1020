import { useSearchParams } from "@remix-run/react";
import { FormLayout, Select } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { storefrontTouchpoints } from "#app/offers/storefront-choices.ts";
import type { StorefrontTouchpoint } from "#app/offers/storefront-choices.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { VariantField } from "./variant-field.tsx";

interface Props {
  query: { variant: string | null; touchpoint: StorefrontTouchpoint };
}

/** Which variant, and where: kept in the address. */
export function InspectorForm({ query }: Props) {
  const { t } = useTranslation("products");
  const [, setSearch] = useSearchParams();
  const change = (changed: Record<string, string>) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now);
        for (const [name, value] of Object.entries(changed)) next.set(name, value);
        return next;
      },
      { preventScrollReset: true },
    );

  return (
    <TitledCard title={t("inspector.title")} help={t("inspector.body")}>
      <FormLayout>
        <FormLayout.Group>
          <VariantField onChoose={(variant) => change({ variant })} />
          <Select
            label={t("inspector.where")}
            options={storefrontTouchpoints.map((value) => ({
              value,
              label: t(`inspector.touchpoints.${value}`),
            }))}
            value={query.touchpoint}
            onChange={(touchpoint) => change({ touchpoint })}
          />
        </FormLayout.Group>
      </FormLayout>
    </TitledCard>
  );
}
