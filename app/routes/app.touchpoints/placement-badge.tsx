/** Where the theme shows a touchpoint, as its card says it. */
import { Badge, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Placement } from "#app/offers/placement.ts";
import type { StorefrontTouchpoint } from "#app/offers/storefront-choices.ts";

interface Props {
  /** undefined: being read; null: cannot be read */
  found: Placement | null | undefined;
  name: StorefrontTouchpoint;
  /** the merchant wants it shown */
  on: boolean;
}

/** Whether shoppers see it: the merchant's switch and the theme together. */
export function PlacementBadge({ found, name, on }: Props) {
  const { t } = useTranslation("touchpoints");
  if (found === undefined) return <Badge>{t("placed.reading")}</Badge>;
  if (found === null) return <Badge>{t("placed.unknown")}</Badge>;
  if (!on) return <Badge>{t("placed.off")}</Badge>;
  return found.placed[name].length > 0 ? (
    <Badge tone="success">{t("placed.yes", { theme: found.theme })}</Badge>
  ) : (
    <Badge tone="attention">{t("placed.no", { theme: found.theme })}</Badge>
  );
}

/** Which templates of the theme show it: a shop may have several for products. */
export function PlacementTemplates({ templates }: { templates: string[] }) {
  const { t } = useTranslation("touchpoints");
  if (templates.length === 0) return null;
  return (
    <Text as="p" tone="subdued" breakWord>
      {t("placed.templates", { count: templates.length, templates: templates.join(", ") })}
    </Text>
  );
}
