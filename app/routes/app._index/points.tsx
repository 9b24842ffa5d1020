import { BlockStack, Button, Link, Text, TextField } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { CatalogueSetup } from "#app/catalogue/setup.server.ts";
import type { InboxHealth } from "#app/inbox/inbox-health.server.ts";
import type { ConnectionView, Environment } from "#app/merchants/connection.ts";
import type { Placement, Surface } from "#app/offers/placement.ts";
import type { TextGap } from "#app/offers/text-gaps.ts";
import type { OpenTaskGroup } from "#app/orders/tasks/tasks.ts";
import { dataRequest, type OrderAccess } from "#app/shopify/order-access.ts";
import { type PermissionUse, usePermissionRequest } from "#app/ui/permission-banner.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useCopyToClipboard } from "#app/ui/use-action.ts";
import { Permitted } from "#app/ui/permitted.tsx";

/** What needs a person. Lower weights come first. */
export interface Point {
  key: string;
  weight: number;
  /** it stops the sale, or contracts of paid orders */
  isCritical?: true;
  text: string;
  detail?: string;
  action?: ReactNode;
  /** below the text */
  content?: ReactNode;
}

export interface Points {
  /** by weight */
  needs: Point[];
  /** what is late, and goes on by itself */
  waits: string[];
  /** what works */
  facts: string[];
}

interface PointsProps {
  inUse: Environment;
  isSetUp: boolean;
  isSelling: boolean;
  isPaused: boolean;
  connection: ConnectionView | null;
  catalogue: CatalogueSetup;
  tasks: OpenTaskGroup[];
  waitingOrders: number;
  jobs: InboxHealth;
  missingPermissions: readonly PermissionUse[];
  switchedOff: readonly Surface[];
  editors: Record<Surface, string>;
  /** whether Shopify gives the app orders, as far as is known */
  access: OrderAccess;
  /** undefined: being read; null: cannot be read */
  gaps: readonly TextGap[] | null | undefined;
  /** undefined: being read; null: cannot be read */
  placement: Placement | null | undefined;
}

/** What stops the sale or contracts, then what the law dates, then money, then the rest. */
const weights = { stop: 0, deadline: 1, contracts: 2, money: 3, sale: 4, texts: 5, permission: 6 };

/** All that Home says of the shop: each thing once, wherever it comes from. */
export function usePoints(props: PointsProps): Points {
  const shop = useShopPoints(props);
  const tasks = useTaskPoints(props.tasks);
  const texts = useTextPoints(props);
  const access = useAccessPoints(props.access);
  const permission = usePermissionPoints(props);
  const needs = [...access, ...shop, ...tasks, ...texts, ...permission].sort((a, b) => a.weight - b.weight);
  return { needs, waits: useWaits(props), facts: useFacts(props) };
}

function useShopPoints({
  isSetUp,
  isSelling,
  isPaused,
  connection,
  catalogue,
  switchedOff,
  editors,
  placement,
}: PointsProps): Point[] {
  const { t } = useTranslation("home");
  const { format } = useShop();
  const points: Point[] = [];
  const { lastSync, lastSyncAt, unofferedProducts, onSale, isSyncing } = catalogue;
  const to = (url: string, text: string) => <Link url={url}>{text}</Link>;
  // A paused sale, and a lost account, have their own notice above the page.
  const sells = connection?.state === "accepted" && !isPaused;
  if (isSetUp && sells && onSale === 0 && !isSyncing) {
    points.push({
      key: "nothingOnSale",
      weight: weights.stop,
      isCritical: true,
      text: t("health.nothingOnSale"),
      action: to("/app/catalogue", t("health.see.catalogue")),
    });
  }
  const isOff = switchedOff.includes("product_page");
  if (isSelling && !isPaused && isOff) {
    points.push({
      key: "switchedOff",
      weight: weights.stop,
      isCritical: true,
      text: t("health.switchedOff"),
      action: to("/app/touchpoints", t("health.see.touchpoints")),
    });
  }
  // During the set-up the guide says so.
  if (isSetUp && !isPaused && !isOff && placement?.placed.has("product_page") === false) {
    points.push({
      key: "theme",
      weight: weights.stop,
      isCritical: true,
      text: t("health.theme.off"),
      action: (
        <Link url={editors.product_page} target="_blank">
          {t("setup.place.action")}
        </Link>
      ),
    });
  }
  if (connection?.phoneNumber === "needed") {
    points.push({
      key: "phone",
      weight: weights.contracts,
      text: t("health.phone"),
      action: to("/app/settings", t("health.see.settings")),
    });
  }
  if ((lastSync === "failed" || lastSync === "cancelled") && lastSyncAt !== null) {
    points.push({
      key: "sync",
      weight: weights.sale,
      text: t(`health.sync.${lastSync}`, { date: format.dateTime(lastSyncAt) }),
      action: to("/app/catalogue", t("health.see.catalogue")),
    });
  }
  if (unofferedProducts > 0) {
    points.push({
      key: "unoffered",
      weight: weights.sale,
      text: t("health.unoffered", { count: unofferedProducts }),
      action: to("/app/products", t("setup.map.action")),
    });
  }
  return points;
}

/** Tasks of one kind are one point: they are answered in one go. */
function useTaskPoints(groups: readonly OpenTaskGroup[]): Point[] {
  const { t } = useTranslation(["home", "tasks"]);
  const { format } = useShop();
  return groups
    .toSorted(
      (a, b) =>
        (a.dueOn ?? "9").localeCompare(b.dueOn ?? "9") ||
        (b.atStake[0]?.minor ?? 0) - (a.atStake[0]?.minor ?? 0),
    )
    .map(({ kind, count, dueOn, atStake, order }) => {
      const amount = atStake.map(({ minor, currency }) => format.money(minor, currency)).join(" + ");
      const detail = [
        dueOn !== null && t("tasks:due", { date: format.date(dueOn) }),
        order !== null && order.name !== null && t("tasks.order", { name: order.name }),
        count > 1 && t("tasks.count", { count }),
        amount !== "" && t("tasks.atStake", { amount }),
      ].filter((part) => part !== false);
      return {
        key: `task-${kind}`,
        weight: dueOn === null ? weights.money : weights.deadline,
        text: t(`tasks:kind.${kind}.title`),
        detail: detail.join(" · "),
        action: (
          <Link url={order === null ? `/app/tasks?kind=${kind}` : `/app/orders/${order.id}`}>
            {t("tasks.see", { count })}
          </Link>
        ),
      };
    });
}

/** The languages of the shop whose shoppers do not read what is covered. */
function useTextPoints({ gaps, isSelling }: PointsProps): Point[] {
  const { t } = useTranslation(["home", "common"]);
  const { locale } = useShop();
  const [first] = gaps ?? [];
  if (!gaps || first === undefined || !isSelling) return [];
  const names = new Intl.DisplayNames(locale, { type: "language" });
  const nameOf = (language: string) => names.of(language) ?? language;
  const languages = new Intl.ListFormat(locale).format(gaps.map(({ language }) => nameOf(language)));
  return [
    {
      key: "texts",
      weight: weights.texts,
      text: t("common:textGaps.title", { languages }),
      action: (
        <Link url={`/app/touchpoints?place=texts&language=${first.language}#covers`}>
          {t("common:textGaps.write", { language: nameOf(first.language), count: first.missing.length })}
        </Link>
      ),
    },
  ];
}

/** What to request from Shopify while the app may not read orders or their customers. */
function useAccessPoints(access: OrderAccess): Point[] {
  const { t } = useTranslation(["home", "common"]);
  const copy = useCopyToClipboard();
  if (access !== "none" && access !== "anonymous") return [];
  const isCritical = access === "none" ? ({ isCritical: true } as const) : {};
  return [
    {
      key: "access",
      weight: access === "none" ? weights.stop : weights.contracts,
      ...isCritical,
      text: t(`access.${access}.title`),
      content: (
        <BlockStack gap="300">
          <Text as="p">{t(`access.${access}.body`)}</Text>
          <Text as="p">{t("access.todo")}</Text>
          <TextField
            label={t("access.text")}
            helpText={t("access.textHelp")}
            value={dataRequest}
            multiline={6}
            maxHeight={200}
            readOnly
            autoComplete="off"
          />
          <div>
            <Button onClick={() => void copy(dataRequest)}>{t("common:action.copy")}</Button>
          </div>
          <Text as="p">{t("access.then")}</Text>
        </BlockStack>
      ),
    },
  ];
}

/** Permissions of Shopify that the settings use. Without them everything sells. */
function usePermissionPoints({ missingPermissions, isSelling }: PointsProps): Point[] {
  const { t } = useTranslation(["home", "settings"]);
  const { request, problem } = usePermissionRequest(missingPermissions);
  if (!isSelling || missingPermissions.length === 0) return [];
  const text = missingPermissions.includes("orderCover") ? t("permission.cover") : t("permission.other");
  return [
    {
      key: "permission",
      weight: weights.permission,
      text: problem === null ? text : t(`settings:orders.permission.${problem}`),
      detail: problem === "declined" ? t("settings:orders.permission.whatNow") : t("permission.detail"),
      action: (
        <Permitted to="/app/settings">
          <Button onClick={request}>{t("settings:orders.permission.action")}</Button>
        </Permitted>
      ),
    },
  ];
}

function useWaits({ waitingOrders, jobs }: PointsProps): string[] {
  const { t } = useTranslation("home");
  return [
    ...(waitingOrders > 0 ? [t("health.waiting", { count: waitingOrders })] : []),
    ...(jobs.failing > 0 ? [t("health.failing", { count: jobs.failing })] : []),
    ...(jobs.overdue > 0 ? [t("health.late", { count: jobs.overdue })] : []),
  ];
}

function useFacts({ inUse, isPaused, connection, catalogue, placement, switchedOff }: PointsProps): string[] {
  const { t } = useTranslation(["home", "common"]);
  const { format } = useShop();
  const { lastSync, lastSyncAt, isSyncing } = catalogue;
  const isShown = placement?.placed.has("product_page") === true && !switchedOff.includes("product_page");
  return [
    ...(connection?.state === "accepted"
      ? [t("health.insurer.accepted", { environment: t(`common:environment.${inUse}`) })]
      : []),
    ...(isSyncing
      ? [t("health.sync.running")]
      : lastSync === "done" && lastSyncAt !== null
        ? [t("health.sync.done", { date: format.dateTime(lastSyncAt) })]
        : []),
    // A paused sale shows nothing, whatever the theme has.
    ...(isShown && !isPaused ? [t("health.theme.on")] : []),
  ];
}
