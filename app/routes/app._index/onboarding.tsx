import { Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { CatalogueSetup } from "#app/catalogue/setup.server.ts";
import type { ConnectionView, Environment } from "#app/merchants/connection.ts";
import type { Placement } from "#app/offers/placement.ts";
import type { OrderAccess } from "#app/shopify/order-access.ts";
import type { StorefrontTouchpoint } from "#app/offers/storefront-choices.ts";
import { PermissionBanner } from "#app/ui/permission-banner.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { useRevalidateOnReturn } from "#app/ui/use-revalidate-on-return.ts";
import { useRevalidateWhile } from "#app/ui/use-revalidate-while.ts";
import { SetupGuide } from "./setup-guide.tsx";
import type { Step } from "./setup-guide.tsx";

interface Props {
  inUse: Environment;
  connection: ConnectionView | null;
  catalogue: CatalogueSetup;
  plans: { insuredOrderSeen: boolean };
  /** whether the platform gives the app orders, as far as known */
  knownAccess: OrderAccess;
  /** addresses of the theme editor that place the blocks */
  editors: Record<StorefrontTouchpoint, string>;
  /** undefined: being read; null: cannot be read */
  placement: Placement | null | undefined;
  checkPlacement: () => void;
  /** what the shop has not permitted yet, though it is turned on */
  missingPermissions: readonly ("fulfilment" | "orderCover" | "draftOrders")[];
  /** where a merchant requests an account; null: not known */
  accountRequestUrl: string | null;
}

/** The steps from the first opening to real contracts, each with a live check. */
export function Onboarding({
  inUse,
  connection,
  catalogue,
  plans,
  knownAccess,
  editors,
  placement,
  checkPlacement,
  missingPermissions,
  accountRequestUrl,
}: Props) {
  const { t } = useTranslation("home");
  const { shop } = useShop();
  useRevalidateOnReturn();
  // An insured order came through the theme. From then on the guide waits for no answer, so that nothing moves once it
  // comes; a theme that shows the offer no more is a matter of health.
  const placed = plans.insuredOrderSeen || (placement?.placed.has("product_page") ?? false);
  // What comes next comes by itself: the end of the sync, the order.
  useRevalidateWhile(catalogue.isSyncing || (placed && !plans.insuredOrderSeen));
  const steps: Step[] = [
    {
      name: "connect",
      done: connection?.state === "accepted",
      action: { content: t("setup.connect.action"), url: "/app/connection" },
      more: (
        <Text as="p" tone="subdued">
          {t("setup.connect.noAccount")}{" "}
          {accountRequestUrl === null ? (
            t("setup.connect.ask")
          ) : (
            <Link url={accountRequestUrl} target="_blank">
              {t("setup.connect.request")}
            </Link>
          )}
        </Text>
      ),
    },
    {
      name: "map",
      done: catalogue.insuredProducts > 0,
      doneText: t("setup.map.done", { count: catalogue.insuredProducts }),
      action: { content: t("setup.map.action"), url: "/app/products" },
    },
    {
      name: "sync",
      done: catalogue.onSale > 0,
      doneText: t("setup.sync.done", { count: catalogue.onSale }),
      action: { content: t("setup.sync.action"), url: "/app/catalogue" },
    },
    {
      name: "place",
      done: placed,
      ...(placement === null ? { note: t("setup.place.unknown") } : {}),
      action: { content: t("setup.place.action"), url: editors.product_page, target: "_blank" },
      secondary: {
        content: t("setup.place.check"),
        onAction: checkPlacement,
        loading: placement === undefined,
      },
    },
    {
      name: "permissions",
      isOptional: true,
      done: missingPermissions.length === 0,
      more: <PermissionBanner missing={missingPermissions} />,
    },
    {
      name: inUse === "test" ? "order" : "firstOrder",
      done: plans.insuredOrderSeen,
      ...(knownAccess === "none" ? { note: t("setup.order.noAccess") } : {}),
      action: {
        content: t("setup.order.action"),
        url: `https://${shop}/${catalogue.example === null ? "" : `products/${catalogue.example}`}`,
        target: "_blank",
      },
    },
    {
      name: "live",
      done: inUse === "production" && connection?.state === "accepted" && catalogue.onSale > 0,
      action: { content: t("setup.live.action"), url: "/app/go-live" },
    },
  ];
  return <SetupGuide steps={steps} intro={connection === null ? t("setup.intro") : null} />;
}
