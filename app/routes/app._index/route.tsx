/** Home: whether the insurance sells, and whether anything is wrong. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, Page, InlineStack, Link, Text, Banner, Button, TextField, Box } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { attachmentRate } from "#app/analytics/attachment.ts";
import { attachmentSummary, type AttachmentSummary } from "#app/analytics/attachment.server.ts";
import { recordAccess } from "#app/audit/record.server.ts";
import { catalogueSetup } from "#app/catalogue/setup.server.ts";
import { inboxHealth } from "#app/inbox/inbox-health.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { listConnections } from "#app/merchants/connection.server.ts";
import { canSee, requireMerchant } from "#app/merchants/guard.server.ts";
import { readPermissionModes } from "#app/merchants/optional-scopes.server.ts";
import { currentOrderAccess } from "#app/merchants/order-access.server.ts";
import { readCartSection } from "#app/offers/cart.server.ts";
import { checkoutEditorLink, editorLink, withdrawalEditorLink } from "#app/offers/editor-links.ts";
import type { Surface } from "#app/offers/placement.ts";
import { dataRequest, type OrderAccess } from "#app/shopify/order-access.ts";
import { storefrontTouchpoints } from "#app/offers/storefront-choices.ts";
import { readStorefrontSettings } from "#app/offers/storefront-settings.server.ts";
import { readTextGaps } from "#app/offers/text-gaps.server.ts";
import { orderFilter } from "#app/orders/admin/order-forms.ts";
import { isInsuredOrderSeen, type ListedOrder, listOrders } from "#app/orders/admin/order-list.server.ts";
import { countWaitingOrders } from "#app/issuing/account.server.ts";
import { countOpenTasks, listTasks } from "#app/orders/tasks/tasks.server.ts";
import { taskFilter, type TaskView } from "#app/orders/tasks/tasks.ts";
import { toLocalDay } from "#app/platform/day.ts";
import { env } from "#app/platform/env.server.ts";
import { Deferred } from "#app/ui/deferred.tsx";
import { TextGapsBanner } from "#app/ui/text-gaps-banner.tsx";
import { usePlacement } from "#app/ui/use-placement.ts";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard, TitledList } from "#app/ui/titled-card.tsx";
import { useCopyToClipboard } from "#app/ui/use-action.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { OrderTable } from "#app/ui/order-table.tsx";
import { MetricCards } from "#app/ui/metric-cards.tsx";
import { HealthCard, PlacementCard } from "./health-card.tsx";
import { Onboarding } from "./onboarding.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const context = await requireMerchant(request);
  const { shop, merchant } = context;
  const seesOrders = await canSee(context, "orders");
  const none = { items: [] };
  const { timezone, currency } = merchant;
  const inUse = merchant.environment;
  const range = { environment: inUse, timezone, currency };
  const firstPage = { after: null, before: null };
  const [connections, catalogue, sales, plans, tasks, orders, jobs, storefront, permissions] =
    await Promise.all([
      listConnections(shop),
      catalogueSetup(shop, inUse),
      seesOrders ? attachmentSummary(shop, range, toLocalDay(timezone, new Date())) : null,
      readPlans(merchant),
      seesOrders ? listTasks(merchant, taskFilter.parse({}), firstPage, 3) : none,
      seesOrders ? listOrders(merchant, orderFilter.parse({}), firstPage, 5) : none,
      inboxHealth(shop),
      readStorefrontSettings(shop),
      readPermissionModes(shop),
    ]);
  if (orders.items.length > 0) await recordAccess(context, "list_viewed", "orders");
  return {
    inUse,
    connection: connections.find((connection) => connection.environment === inUse) ?? null,
    catalogue,
    sales,
    plans,
    tasks: tasks.items,
    orders: orders.items,
    jobs,
    missingPermissions: (["fulfilment", "orderCover", "orderTags", "draftOrders"] as const).filter(
      (feature) => permissions[feature] === "no_permission",
    ),
    accountRequestUrl: env.ACCOUNT_REQUEST_URL ?? null,
    switchedOff: ([...storefrontTouchpoints, "checkout"] as const).filter(
      (name) => !storefront.touchpoints[name].on,
    ),
    productPageOn: storefront.touchpoints.product_page.on,
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

/** The shop's insurance as a whole. */
async function readPlans(merchant: Merchant) {
  const [insuredOrderSeen, { count }, waitingOrders] = await Promise.all([
    isInsuredOrderSeen(merchant.shop),
    countOpenTasks(merchant),
    countWaitingOrders(merchant.shop),
  ]);
  return { insuredOrderSeen, openTasks: count, waitingOrders };
}

export default function Home() {
  const { cartSection, ...loaded } = useLoaderData<typeof loader>();
  const { placement, check } = usePlacement();
  const home = { ...loaded, placement, checkPlacement: check };
  const { t } = useTranslation("home");
  const isSetUp = home.plans.insuredOrderSeen && home.inUse === "production" && home.catalogue.onSale > 0;
  // Before the first sale the page shows the guide alone: figures and places would be empty.
  const isSelling = home.catalogue.onSale > 0 || home.plans.insuredOrderSeen;
  return (
    <Page title={t("title")}>
      <BlockStack gap="400">
        <Deferred value={home.orderAccess}>
          {(access) => <OrderAccessBanner access={access ?? home.knownAccess} />}
        </Deferred>
        {!isSetUp && <Onboarding {...home} />}
        {(home.connection ?? isSelling) && <HealthCard {...home} />}
        {home.plans.insuredOrderSeen && home.sales && (
          <>
            <SalesSummary title={t("today")} sales={home.sales.today} />
            <SalesSummary title={t("month")} sales={home.sales.month} />
          </>
        )}
        {home.tasks.length > 0 && <OpenTasks tasks={home.tasks} count={home.plans.openTasks} />}
        {home.orders.length > 0 && <RecentOrders orders={home.orders} inUse={home.inUse} />}
        {isSelling && (
          <>
            {/* Below the cards that merchants read first: at the top it would move the page when it loads. */}
            <Deferred value={home.gaps}>{(gaps) => <TextGapsBanner gaps={gaps} />}</Deferred>
            <Deferred value={cartSection}>
              {(section) => <PlacementCard {...home} cartSection={section ?? null} />}
            </Deferred>
          </>
        )}
        {isSetUp && <Onboarding {...home} />}
      </BlockStack>
    </Page>
  );
}

function OpenTasks({ tasks, count }: { tasks: TaskView[]; count: number }) {
  const { t } = useTranslation(["home", "tasks"]);
  const { format } = useShop();
  return (
    <TitledCard title={t("tasks.title")}>
      {tasks.map((task) => (
        <InlineStack key={task.id} align="space-between" gap="200">
          <BlockStack>
            <Text as="span" fontWeight="medium">
              {t(`tasks:kind.${task.kind}.title`)}
            </Text>
            {task.orderName !== null && task.orderId !== null && (
              <Link url={`/app/orders/${task.orderId}`}>{t("tasks.order", { name: task.orderName })}</Link>
            )}
          </BlockStack>
          <Text as="span" tone="subdued">
            {format.dateTime(task.openedAt)}
          </Text>
        </InlineStack>
      ))}
      <Link url="/app/tasks">{t("tasks.all", { count })}</Link>
    </TitledCard>
  );
}

/** The permissions to request from Shopify while the app may not read orders or their customers. */
function OrderAccessBanner({ access }: { access: OrderAccess }) {
  const { t } = useTranslation(["home", "common"]);
  const copy = useCopyToClipboard();
  if (access !== "none" && access !== "anonymous") return null;
  return (
    <Banner title={t(`access.${access}.title`)} tone={access === "none" ? "critical" : "warning"}>
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
    </Banner>
  );
}

/** The latest orders with their plans. */
function RecentOrders({ orders, inUse }: { orders: ListedOrder[]; inUse: Environment }) {
  const { t } = useTranslation("home");
  return (
    <TitledList title={t("orders.title")}>
      <OrderTable orders={orders} environment={inUse} />
      <Box padding="400">
        <Link url="/app/orders">{t("orders.all")}</Link>
      </Box>
    </TitledList>
  );
}

/** How insurance sold in a period. */
function SalesSummary({ title, sales }: { title: string; sales: AttachmentSummary }) {
  const { t } = useTranslation("home");
  const { format, currency } = useShop();
  const rate = attachmentRate(sales);
  return (
    <BlockStack gap="200">
      <Box paddingInline={{ xs: "400", sm: "0" }}>
        <Text as="h2" variant="headingMd">
          {title}
        </Text>
      </Box>
      <MetricCards
        metrics={[
          {
            label: t("figure.rate"),
            value: rate === null ? "–" : format.percent(rate),
            help:
              rate === null
                ? t("figure.noRate")
                : t("figure.rateHelp", {
                    paid: format.number(sales.paid),
                    eligible: format.number(sales.eligible),
                  }),
          },
          {
            label: t("figure.orders"),
            value: format.number(sales.insuredOrders),
            help: t("figure.ordersHelp"),
          },
          {
            label: t("figure.premium"),
            value: format.money(sales.premiumMinor, currency),
            help: t("figure.premiumHelp"),
          },
        ]}
      />
    </BlockStack>
  );
}

export { shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
