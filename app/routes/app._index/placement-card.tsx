/** Everything of the app's that shoppers and customers can see: whether the shop shows it, and where it is placed. */
import { Badge, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { toCartSection } from "#app/offers/editor-links.ts";
import { surfaces } from "#app/offers/placement.ts";
import type { Placement, Surface } from "#app/offers/placement.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";

interface Props {
  /** undefined: being read; null: cannot be read */
  placement: Placement | null | undefined;
  /** addresses of Shopify's editors that place each */
  editors: Record<Surface, string>;
  /** null: being read, or not found */
  cartSection: string | null;
  /** the merchant has switched them off in the app */
  switchedOff: Surface[];
  hasPlusFeatures: boolean;
}

const tones = { placed: "success", missing: undefined, off: undefined, unknown: undefined } as const;

export function PlacementCard({ placement, editors, cartSection, switchedOff, hasPlusFeatures }: Props) {
  const { t } = useTranslation("home");
  const stateOf = (surface: Surface): keyof typeof tones => {
    if (switchedOff.includes(surface)) return "off";
    if (!placement) return "unknown";
    return placement.placed.has(surface) ? "placed" : "missing";
  };
  const rows = surfaces
    .filter((surface) => surface !== "checkout" || hasPlusFeatures)
    .map((surface) => ({ surface, name: t(`placement.surface.${surface}`), state: stateOf(surface) }));
  return (
    <TitledCard
      title={t("placement.title")}
      help={t(placement === null ? "placement.unread" : "placement.help")}
    >
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
            <Badge tone={tones[state]}>{t(`placement.state.${state}`)}</Badge>
          </InlineStack>
        </InlineStack>
      ))}
    </TitledCard>
  );
}
