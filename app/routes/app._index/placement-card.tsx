import { Badge, BlockStack, Box, Card, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { toCartSection } from "#app/offers/editor-links.ts";
import { type Placement, type Surface, surfaces } from "#app/offers/placement.ts";
import { Folded } from "#app/ui/details.tsx";

interface PlacementCardProps {
  /** undefined: being read; null: cannot be read */
  placement: Placement | null | undefined;
  /** addresses of Shopify's editors that place each */
  editors: Record<Surface, string>;
  /** null: loading, or not found */
  cartSection: string | null;
  /** the merchant has switched them off in the app */
  switchedOff: readonly Surface[];
  hasPlusFeatures: boolean;
}

const placementTones = { placed: "success", missing: undefined, off: undefined, unknown: undefined } as const;

/** Every part of the app that shoppers and customers can see: whether the shop shows it, and where. */
export function PlacementCard({
  placement,
  editors,
  cartSection,
  switchedOff,
  hasPlusFeatures,
}: PlacementCardProps) {
  const { t } = useTranslation("home");
  const stateOf = (surface: Surface): keyof typeof placementTones => {
    if (switchedOff.includes(surface)) return "off";
    if (!placement) return "unknown";
    return placement.placed.has(surface) ? "placed" : "missing";
  };
  const rows = surfaces
    .filter((surface) => surface !== "checkout" || hasPlusFeatures)
    .map((surface) => ({ surface, name: t(`placement.surface.${surface}`), state: stateOf(surface) }));
  const shown = rows.filter(({ state }) => state === "placed").length;
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd">
          {t("placement.title")}
        </Text>
        <Folded
          summary={placement ? t("placement.shown", { shown, total: rows.length }) : t("placement.places")}
        >
          <Box paddingBlockStart="300">
            <BlockStack gap="300">
              <Text as="p" tone="subdued">
                {t(placement === null ? "placement.unread" : "placement.help")}
              </Text>
              {rows.map(({ surface, name, state }) => (
                <InlineStack key={surface} gap="200" align="space-between" blockAlign="center">
                  <Text as="p">{name}</Text>
                  <InlineStack gap="300" blockAlign="center">
                    {state === "off" && <Link url="/app/touchpoints">{t("placement.switchOn")}</Link>}
                    {(state === "missing" || placement === null) && state !== "off" && (
                      <Link
                        url={toCartSection(editors[surface], cartSection)}
                        target="_blank"
                        accessibilityLabel={t("placement.placeIt", { name })}
                      >
                        {t("placement.place")}
                      </Link>
                    )}
                    <Badge tone={placementTones[state]}>{t(`placement.state.${state}`)}</Badge>
                  </InlineStack>
                </InlineStack>
              ))}
            </BlockStack>
          </Box>
        </Folded>
      </BlockStack>
    </Card>
  );
}
