/** Home: whether the insurance sells, what needs a person, and how it sold in the last thirty days. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Page } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { attachmentMonth } from "#app/analytics/attachment.server.ts";
import { catalogueSetup } from "#app/catalogue/setup.server.ts";
import { inboxHealth } from "#app/inbox/inbox-health.server.ts";
import { countWaitingOrders } from "#app/issuing/account.server.ts";
import { listConnections } from "#app/merchants/connection.server.ts";
import { canSee, requireMerchant } from "#app/merchants/guard.server.ts";
import { readPermissionModes } from "#app/merchants/optional-scopes.server.ts";
import { currentOrderAccess } from "#app/merchants/order-access.server.ts";
import { readCartSection } from "#app/offers/cart.server.ts";
import { checkoutEditorLink, editorLink, withdrawalEditorLink } from "#app/offers/editor-links.ts";
import type { Surface } from "#app/offers/placement.ts";
import { storefrontTouchpoints } from "#app/offers/storefront-choices.ts";
import { readStorefrontSettings } from "#app/offers/storefront-settings.server.ts";
import { readTextGaps } from "#app/offers/text-gaps.server.ts";
import { findInsuredOrder } from "#app/orders/admin/order-list.server.ts";
import { listOpenTaskGroups } from "#app/orders/tasks/tasks.server.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { env } from "#app/platform/env.server.ts";
import { useAccount } from "#app/ui/account-notice.tsx";
import { Deferred, useDeferred } from "#app/ui/deferred.tsx";
import { useRevalidateOnReturn, useRevalidateWhile } from "#app/ui/use-action.ts";
import { usePlacement } from "#app/ui/use-placement.ts";
import { MonthCards } from "./month-cards.tsx";
import { Onboarding } from "./onboarding.tsx";
import { PlacementCard } from "./placement-card.tsx";
import { usePoints } from "./points.tsx";
import { VerdictCard } from "./verdict-card.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const context = await requireMerchant(request);
  const { shop, merchant } = context;
  const seesOrders = await canSee(context, "orders");
  const { timezone, currency } = merchant;
  const inUse = merchant.environment;
  const range = { environment: inUse, timezone, currency };
  const [connections, catalogue, sales, tasks, insuredOrder, waitingOrders, jobs, storefront, permissions] =
    await Promise.all([
      listConnections(shop),
      catalogueSetup(shop, inUse),
      seesOrders ? attachmentMonth(shop, range, toLocalDay(timezone, new Date())) : null,
      seesOrders ? listOpenTaskGroups(merchant) : [],
      findInsuredOrder(shop),
      countWaitingOrders(shop),
      inboxHealth(shop),
      readStorefrontSettings(shop),
      readPermissionModes(shop),
    ]);
  return {
    inUse,
    connection: connections.find((connection) => connection.environment === inUse) ?? null,
    catalogue,
    sales,
    tasks,
    insuredOrder,
    waitingOrders,
    jobs,
    missingPermissions: (["fulfilment", "orderCover", "orderTags", "draftOrders"] as const).filter(
      (feature) => permissions[feature] === "no_permission",
    ),
    accountRequestUrl: env.ACCOUNT_REQUEST_URL ?? null,
    switchedOff: ([...storefrontTouchpoints, "checkout"] as const).filter(
      (name) => !storefront.touchpoints[name].on,
    ),
    hasPlusFeatures: merchant.hasPlusFeatures,
    editors: {
      product_page: editorLink(shop, env.SHOPIFY_API_KEY, "product_page"),
      cart: editorLink(shop, env.SHOPIFY_API_KEY, "cart"),
      mini_cart: editorLink(shop, env.SHOPIFY_API_KEY, "mini_cart"),
      checkout: checkoutEditorLink(shop, env.SHOPIFY_API_KEY, "checkout"),
      thank_you: checkoutEditorLink(shop, env.SHOPIFY_API_KEY, "thank-you"),
      order_page: checkoutEditorLink(shop, env.SHOPIFY_API_KEY, "order-status"),
      account: checkoutEditorLink(shop, env.SHOPIFY_API_KEY, "profile"),
      withdrawal: withdrawalEditorLink(shop, env.SHOPIFY_API_KEY),
    } satisfies Record<Surface, string>,
    knownAccess: merchant.orderAccess,
    // The query to Shopify runs while the page is sent.
    orderAccess: currentOrderAccess(merchant),
    cartSection: readCartSection(shop),
    gaps: readTextGaps(shop, inUse, storefront),
  };
}

export default function Home() {
  const { cartSection, orderAccess, gaps, ...loaded } = useLoaderData<typeof loader>();
  const { t } = useTranslation("home");
  const { placement, check } = usePlacement();
  const account = useAccount();
  const access = useDeferred(orderAccess);
  const home = {
    ...loaded,
    access: access ?? loaded.knownAccess,
    gaps: useDeferred(gaps),
    placement,
    checkPlacement: check,
    isPaused: account?.isPaused === true,
  };
  const { catalogue, insuredOrder, inUse, sales } = home;
  const hasSold = insuredOrder !== null;
  const isSetUp = hasSold && inUse === "production";
  // Before the first sale the page shows the guide alone: figures and places would be empty.
  const isSelling = catalogue.onSale > 0 || hasSold;
  const isPlaced = placement?.placed.has("product_page") === true;
  useRevalidateOnReturn();
  // The sync and the first order finish without the merchant.
  useRevalidateWhile(catalogue.isSyncing || (isPlaced && !hasSold));
  const points = usePoints({ ...home, isSetUp, isSelling });
  // The guide comes first, except before what stops contracts.
  const isGuided = !isSetUp && !points.needs.some(({ isCritical }) => isCritical);
  return (
    <Page title={t("title")}>
      <BlockStack gap="400">
        {isGuided && <Onboarding {...home} />}
        <VerdictCard
          {...points}
          isSetUp={isSetUp}
          isChecking={access === undefined || home.gaps === undefined || placement === undefined}
        />
        {!isSetUp && !isGuided && <Onboarding {...home} />}
        {hasSold && sales && <MonthCards sales={sales} />}
        {isSelling && (
          <Deferred value={cartSection}>
            {(section) => <PlacementCard {...home} cartSection={section ?? null} />}
          </Deferred>
        )}
      </BlockStack>
    </Page>
  );
}

export { shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
