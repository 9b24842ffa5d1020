import { Await } from "@remix-run/react";
import {
  Badge,
  BlockStack,
  Button,
  Card,
  Checkbox,
  InlineGrid,
  InlineStack,
  Select,
  Text,
} from "@shopify/polaris";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { templatesIn } from "#app/offers/placement.ts";
import type { Placement } from "#app/offers/placement.ts";
import type { PreviewSample } from "#app/offers/preview.server.ts";
import { productFormats } from "#app/offers/storefront-settings.ts";
import type { StorefrontTouchpoint } from "#app/offers/storefront-settings.ts";
import type { DefaultTexts } from "./default-texts.ts";
import type { Draft } from "./draft.ts";
import { Preview } from "./preview.tsx";

interface Props extends Draft {
  name: StorefrontTouchpoint;
  language: string;
  sample: PreviewSample | null;
  defaults: DefaultTexts;
  /** address of the theme editor */
  editor: string;
  placement: Promise<Placement | null>;
}

/** One touchpoint: on or off, where the theme has it, its format, its preview. */
export function TouchpointCard(props: Props) {
  const { name, draft, onChange, language, sample, defaults, editor, placement } = props;
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
            <Suspense fallback={<Badge>{t("placed.reading")}</Badge>}>
              <Await resolve={placement}>
                {(found) => <PlacementBadge found={found} name={name} on={on} />}
              </Await>
            </Suspense>
          </InlineStack>
          <Button url={editor} target="_top">
            {t("edit")}
          </Button>
        </InlineStack>
        <BlockStack gap="100">
          <Text as="p" tone="subdued">
            {t(`about.${name}`)}
          </Text>
          <Suspense fallback={null}>
            <Await resolve={placement}>
              {(found) => <PlacedOn templates={templatesIn(found?.placed[name] ?? [])} />}
            </Await>
          </Suspense>
        </BlockStack>
        <InlineGrid columns={{ xs: 1, md: 2 }} gap="400" alignItems="end">
          <Checkbox label={t("on")} checked={on} onChange={(checked) => change({ on: checked })} />
          {name === "product_page" && (
            <Select
              label={t("format.label")}
              value={draft.touchpoints.product_page.format}
              options={productFormats.map((value) => ({ value, label: t(`format.${value}`) }))}
              onChange={(value) => change({ format: z.enum(productFormats).parse(value) })}
            />
          )}
        </InlineGrid>
        {on && <Preview name={name} draft={draft} language={language} sample={sample} defaults={defaults} />}
      </BlockStack>
    </Card>
  );
}

/** Which templates of the theme show it: a shop may have several for products. */
function PlacedOn({ templates }: { templates: string[] }) {
  const { t } = useTranslation("touchpoints");
  if (templates.length === 0) return null;
  return (
    <Text as="p" tone="subdued" breakWord>
      {t("placed.templates", { count: templates.length, templates: templates.join(", ") })}
    </Text>
  );
}

function PlacementBadge({
  found,
  name,
  on,
}: {
  found: Placement | null;
  name: StorefrontTouchpoint;
  on: boolean;
}) {
  const { t } = useTranslation("touchpoints");
  if (found === null) return <Badge>{t("placed.unknown")}</Badge>;
  if (!on) return <Badge>{t("placed.off")}</Badge>;
  return found.placed[name].length > 0 ? (
    <Badge tone="success">{t("placed.yes", { theme: found.theme })}</Badge>
  ) : (
    <Badge tone="attention">{t("placed.no", { theme: found.theme })}</Badge>
  );
}
