import { Icon, InlineStack, Link, Text, Badge } from "@shopify/polaris";
import { AlertTriangleIcon, CheckCircleIcon, ClockIcon } from "@shopify/polaris-icons";
import { useTranslation } from "react-i18next";
import type { CatalogueSetup } from "#app/catalogue/setup.server.ts";
import type { InboxHealth } from "#app/inbox/inbox-health.server.ts";
import type { ConnectionView, Environment } from "#app/merchants/connection.ts";
import { type Placement, type Surface, surfaces } from "#app/offers/placement.ts";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { toCartSection } from "#app/offers/editor-links.ts";

interface HealthCardProps {
  inUse: Environment;
  connection: ConnectionView | null;
  catalogue: CatalogueSetup;
  plans: { insuredOrderSeen: boolean; openTasks: number; waitingOrders: number };
  jobs: InboxHealth;
  /** the merchant has not switched off the product page's touchpoint */
  productPageOn: boolean;
  /** addresses of the theme editor that place the blocks */
  editors: { product_page: string };
  /** undefined: being read; null: cannot be read */
  placement: Placement | null | undefined;
}

interface HealthCheck {
  /** null: still loading */
  good: boolean | null;
  text: string;
  link?: { url: string; text: string; target?: "_blank" };
}

/** Home's health card: problems first. The theme's status is last because it loads last. */
export function HealthCard(props: HealthCardProps) {
  const { t } = useTranslation("home");
  const known = useHealthChecks(props).sort((a, b) => Number(a.good) - Number(b.good));
  const theme = useThemeCheck(props);
  // Before the first order the set-up guide shows the theme's status. A switched-off touchpoint is not in the theme.
  const lines = props.plans.insuredOrderSeen && props.productPageOn ? [...known, theme] : known;
  const bad = lines.filter(({ good }) => good === false).length;
  return (
    <TitledCard title={bad === 0 ? t("health.fine") : t("health.attention", { count: bad })}>
      {lines.map(({ good, text, link }) => (
        <InlineStack key={text} gap="200" wrap={false} blockAlign="start">
          <span>
            {good === null ? (
              <Icon source={ClockIcon} tone="subdued" />
            ) : (
              <Icon source={good ? CheckCircleIcon : AlertTriangleIcon} tone={good ? "success" : "caution"} />
            )}
          </span>
          <Text as="p">
            {text}{" "}
            {link && good === false && (
              <Link url={link.url} target={link.target}>
                {link.text}
              </Link>
            )}
          </Text>
        </InlineStack>
      ))}
    </TitledCard>
  );
}

function useThemeCheck({ editors, placement }: HealthCardProps): HealthCheck {
  const { t } = useTranslation("home");
  if (placement === undefined) return { good: null, text: t("health.theme.reading") };
  if (placement === null) return { good: null, text: t("health.theme.unknown") };
  return placement.placed.has("product_page")
    ? { good: true, text: t("health.theme.on") }
    : {
        good: false,
        text: t("health.theme.off"),
        link: { url: editors.product_page, text: t("setup.place.action"), target: "_blank" },
      };
}

function useHealthChecks(props: HealthCardProps): HealthCheck[] {
  const { t } = useTranslation(["home", "common"]);
  const { format } = useShop();
  const { inUse, connection, catalogue, plans, jobs, productPageOn } = props;
  const insurer = connection?.state ?? "none";
  const lines: HealthCheck[] = [
    {
      good: insurer === "accepted",
      text: t(`health.insurer.${insurer}`, { environment: t(`common:environment.${inUse}`) }),
      link: { url: "/app/connection", text: t("health.see.connection") },
    },
  ];
  if (connection?.phoneNumber === "needed") {
    const link = { url: "/app/settings", text: t("health.see.settings") };
    lines.push({ good: false, text: t("health.phone"), link });
  }
  const { lastSync, lastSyncAt } = catalogue;
  if (lastSync !== null && lastSyncAt !== null) {
    const how =
      lastSync === "done" || lastSync === "failed" || lastSync === "cancelled" ? lastSync : "running";
    lines.push({
      good: how === "done" || how === "running",
      text: t(`health.sync.${how}`, { date: format.dateTime(lastSyncAt) }),
      link: { url: "/app/catalogue", text: t("health.see.catalogue") },
    });
  }
  if (catalogue.unofferedProducts > 0) {
    const link = { url: "/app/products", text: t("setup.map.action") };
    lines.push({ good: false, text: t("health.unoffered", { count: catalogue.unofferedProducts }), link });
  }
  if (!productPageOn) {
    const link = { url: "/app/touchpoints", text: t("health.see.touchpoints") };
    lines.push({ good: false, text: t("health.switchedOff"), link });
  }
  if (plans.waitingOrders > 0) {
    const link = { url: "/app/connection", text: t("health.see.connection") };
    lines.push({ good: false, text: t("health.waiting", { count: plans.waitingOrders }), link });
  }
  if (plans.openTasks > 0) {
    const link = { url: "/app/tasks", text: t("health.see.tasks") };
    lines.push({ good: false, text: t("health.tasks", { count: plans.openTasks }), link });
  }
  if (jobs.failing > 0) lines.push({ good: false, text: t("health.failing", { count: jobs.failing }) });
  if (jobs.overdue > 0) lines.push({ good: false, text: t("health.late", { count: jobs.overdue }) });
  return lines;
}

interface PlacementCardProps {
  /** undefined: being read; null: cannot be read */
  placement: Placement | null | undefined;
  /** addresses of Shopify's editors that place each */
  editors: Record<Surface, string>;
  /** null: loading, or not found */
  cartSection: string | null;
  /** the merchant has switched them off in the app */
  switchedOff: Surface[];
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
            <Badge tone={placementTones[state]}>{t(`placement.state.${state}`)}</Badge>
          </InlineStack>
        </InlineStack>
      ))}
    </TitledCard>
  );
}
