import { BlockStack, Button, Card, Checkbox, InlineStack, Link, Select, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { toCartSection } from "#app/offers/editor-links.ts";
import type { Placement } from "#app/offers/placement.ts";
import { productFormats } from "#app/offers/storefront-choices.ts";
import type { StorefrontTouchpoint } from "#app/offers/storefront-choices.ts";
import { Deferred } from "#app/ui/deferred.tsx";
import type { DraftProps } from "./draft.ts";
import { PlacementTemplates, PlacementBadge } from "./placement-badge.tsx";

interface Props extends DraftProps {
  name: StorefrontTouchpoint;
  /** address of the theme editor */
  editor: string;
  /** undefined: being read; null: cannot be read */
  placement: Placement | null | undefined;
  /** of the cart template; null: none takes app blocks */
  cartSection: Promise<string | null>;
}

/** One touchpoint: on or off, where the theme has it, its format. */
export function TouchpointCard({ name, draft, onChange, editor, placement, cartSection }: Props) {
  const { t } = useTranslation("touchpoints");
  const { on } = draft.touchpoints[name];
  const change = (part: object) =>
    onChange({
      ...draft,
      touchpoints: { ...draft.touchpoints, [name]: { ...draft.touchpoints[name], ...part } },
    });
  return (
    <Card>
      <BlockStack gap="400">
        <InlineStack align="space-between" gap="200" blockAlign="center">
          <InlineStack gap="200" blockAlign="center">
            <Text as="h2" variant="headingMd">
              {t(`name.${name}`)}
            </Text>
            <PlacementBadge placement={placement} surface={name} on={on} />
          </InlineStack>
          <Deferred value={cartSection}>
            {(section) => (
              <Button url={toCartSection(editor, section)} target="_blank">
                {t("edit")}
              </Button>
            )}
          </Deferred>
        </InlineStack>
        <BlockStack gap="100">
          <Text as="p" tone="subdued">
            {t(`about.${name}`)}
          </Text>
          <PlacementTemplates templates={placement?.templates[name] ?? []} />
        </BlockStack>
        <Checkbox label={t("on")} checked={on} onChange={(checked) => change({ on: checked })} />
        {name === "product_page" && (
          <Select
            label={t("format.label")}
            helpText={
              ["floating", "sticky"].includes(draft.touchpoints.product_page.format) && t("format.ownBar")
            }
            value={draft.touchpoints.product_page.format}
            options={productFormats.map((value) => ({ value, label: t(`format.${value}`) }))}
            onChange={(value) => change({ format: z.enum(productFormats).parse(value) })}
          />
        )}
        <div>
          <Link url={`/app/products/inspector?touchpoint=${name}`}>{t("diagnosis")}</Link>
        </div>
      </BlockStack>
    </Card>
  );
}
