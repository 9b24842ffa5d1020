/** Where the shop shows a block, as its card says it. */
import { Badge, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { Placement, Surface } from "#app/offers/placement.ts";

interface Props {
  /** undefined: being read; null: cannot be read */
  placement: Placement | null | undefined;
  surface: Surface;
  /** the merchant wants it shown */
  on?: boolean;
}

/** Whether it is seen: the merchant's switch and where it is placed, together. */
export function PlacementBadge({ placement, surface, on = true }: Props) {
  const { t } = useTranslation("touchpoints");
  if (placement === undefined) return <Badge>{t("placed.reading")}</Badge>;
  if (placement === null) return <Badge>{t("placed.unknown")}</Badge>;
  if (!on) return <Badge>{t("placed.off")}</Badge>;
  return placement.placed.has(surface) ? (
    <Badge tone="success">{t("placed.yes")}</Badge>
  ) : (
    <Badge tone="attention">{t("placed.no")}</Badge>
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
