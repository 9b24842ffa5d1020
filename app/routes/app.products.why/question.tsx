import { useSearchParams } from "@remix-run/react";
import { FormLayout, Select } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { storefrontTouchpoints } from "#app/offers/storefront-settings.ts";
import type { StorefrontTouchpoint } from "#app/offers/storefront-settings.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { VariantField } from "./variant-field.tsx";

interface Props {
  asked: { variant: string | null; touchpoint: StorefrontTouchpoint };
}

/** Which variant, and where: kept in the address. */
export function Question({ asked }: Props) {
  const { t } = useTranslation("products");
  const [, setSearch] = useSearchParams();
  const ask = (changed: Record<string, string>) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now);
        for (const [name, value] of Object.entries(changed)) next.set(name, value);
        return next;
      },
      { preventScrollReset: true },
    );

  return (
    <TitledCard title={t("why.title")} help={t("why.body")}>
      <FormLayout>
        <FormLayout.Group>
          <VariantField onChoose={(variant) => ask({ variant })} />
          <Select
            label={t("why.where")}
            options={storefrontTouchpoints.map((value) => ({
              value,
              label: t(`why.touchpoints.${value}`),
            }))}
            value={asked.touchpoint}
            onChange={(touchpoint) => ask({ touchpoint })}
          />
        </FormLayout.Group>
      </FormLayout>
    </TitledCard>
  );
}
