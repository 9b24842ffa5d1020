/**
 * The shell of the admin: the person, language, navigation, and what concerns every page.
 *
 * How a page is made (app/routes/app.<name>/route.tsx), in this order:
 * - `loader`: `requireMerchant(request)`, parse the search, call one feature function;
 * - `action`: `pageAction`, parse the form (zod), call one feature function, return its union;
 * - the component: `<Page title={t("title")}>` and the parts in app/ui; forms submit by `useAction`; texts in app/locales;
 * - `clientAction`, `shouldRevalidate`, `ErrorBoundary` and `headers`: as app.settings/route.tsx exports them.
 */
import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Outlet, type ShouldRevalidateFunction, useLoaderData, Link } from "@remix-run/react";
import polarisStyles from "@shopify/polaris/build/esm/styles.css?url";
import { AppProvider } from "@shopify/shopify-app-remix/react";
import { useEffect, useMemo } from "react";
import { NavMenu } from "@shopify/app-bridge-react";
import { useTranslation } from "react-i18next";
import { hasPlanProducts } from "#app/catalogue/sync/synced-products.server.ts";
import { authenticateAdmin, canSee, readActRefusals } from "#app/merchants/guard.server.ts";
import { type Merchant, sellingStopOf } from "#app/merchants/merchant.ts";
import { findInsuredOrder } from "#app/orders/admin/order-list.server.ts";
import { countWaitingPlans } from "#app/issuing/account.server.ts";
import { countOpenTasks } from "#app/orders/tasks/tasks.server.ts";
import { env } from "#app/platform/env.server.ts";
import { type Account, AccountNoticeProvider } from "#app/ui/account-notice.tsx";
import { shouldRevalidate as revalidatesPage } from "#app/ui/client-action.ts";
import { ErrorBannerProvider } from "#app/ui/error-banner.tsx";
import { I18nProvider, readTexts } from "#app/ui/i18n.tsx";
import { useLandOnField } from "#app/ui/use-land-on-field.ts";
import { textsFor } from "#app/locales/index.server.ts";
import { NavigationSkeleton } from "#app/ui/skeletons.tsx";
import { PermissionsProvider, RefusalBanners } from "#app/ui/permitted.tsx";
import { ShopProvider } from "#app/ui/shop.tsx";
import { UnsavedChangesProvider } from "#app/ui/form-save-bar.tsx";

export const meta: MetaFunction = () => [{ title: "Parasol" }];
export const links: LinksFunction = () => [{ rel: "stylesheet", href: polarisStyles }];

export async function loader({ request }: LoaderFunctionArgs) {
  const context = await authenticateAdmin(request);
  const { shop, merchant, locale } = context;
  const [account, openTasks, refusals] = await Promise.all([
    readAccount(merchant),
    canSee(context, "orders").then((isAllowed) => (isAllowed ? countOpenTasks(merchant) : { count: 0 })),
    readActRefusals(context),
  ]);
  return {
    apiKey: env.SHOPIFY_API_KEY,
    appBridgeUrl: env.APP_BRIDGE_URL,
    locale,
    texts: textsFor(locale),
    shopInfo: { shop, locale, currency: merchant.currency, timezone: merchant.timezone },
    account,
    openTasks: openTasks.count,
    refusals,
  };
}

/** The account data that every page shows. */
async function readAccount(merchant: Merchant): Promise<Account> {
  const { shop, account: state, environment, isPaused, accountUrl: url } = merchant;
  const stop = sellingStopOf(merchant);
  const isTest = environment === "test" && state !== null;
  const [hasPlans, insuredOrder, waitingPlans] = await Promise.all([
    hasPlanProducts(shop),
    isTest ? findInsuredOrder(shop) : null,
    stop === null || stop === "paused" ? 0 : countWaitingPlans(shop, environment),
  ]);
  const isGoingLive = isTest && merchant.nextEnvironment === "production";
  const hasSold = insuredOrder !== null;
  return { state, environment, isTest, isGoingLive, stop, isPaused, hasPlans, hasSold, waitingPlans, url };
}

/** Polls while the shop switches to another account. A job finishes the switch. */
let isSwitching = false;

/** The shell must match the page in two values: the number of tasks, and a running account switch. */
const kept = ["/app/tasks", "/app/go-live"];

/** The shell's data changes with actions, hardly with navigation. */
export const shouldRevalidate: ShouldRevalidateFunction = (next) =>
  revalidatesPage(next) &&
  ((next.formMethod !== undefined && next.formMethod !== "GET") ||
    isSwitching ||
    kept.includes(next.nextUrl.pathname));

export default function Shell() {
  const { apiKey, appBridgeUrl, locale, texts, shopInfo, account, openTasks, refusals } =
    useLoaderData<typeof loader>();
  useLandOnField();
  const { messages, polaris } = useMemo(() => readTexts(texts), [texts]);
  useEffect(() => {
    isSwitching = account.isGoingLive;
  }, [account]);
  return (
    <AppProvider
      isEmbeddedApp
      apiKey={apiKey}
      i18n={polaris ?? undefined}
      {...(appBridgeUrl === undefined ? {} : { __APP_BRIDGE_URL: appBridgeUrl })}
    >
      <I18nProvider key={locale} locale={locale} messages={messages}>
        <ShopProvider info={shopInfo}>
          <AppNavigation openTasks={openTasks} />
          <ErrorBannerProvider>
            <PermissionsProvider refusals={refusals}>
              <AccountNoticeProvider account={account}>
                <RefusalBanners />
                <UnsavedChangesProvider>
                  <NavigationSkeleton>
                    <Outlet />
                  </NavigationSkeleton>
                </UnsavedChangesProvider>
              </AccountNoticeProvider>
            </PermissionsProvider>
          </ErrorBannerProvider>
        </ShopProvider>
      </I18nProvider>
    </AppProvider>
  );
}

/** At most seven entries; other pages are tabs of these (app/ui/tabbed-page.tsx). */
const pages = [
  ["/app/orders", "orders"],
  ["/app/tasks", "tasks"],
  ["/app/products", "products"],
  ["/app/catalogue", "catalogue"],
  ["/app/touchpoints", "touchpoints"],
  ["/app/analytics", "analytics"],
  ["/app/settings", "settings"],
] as const;

/** The app's entries in the admin's own navigation, which App Bridge shows. There, Home has the app's name. */
function AppNavigation({ openTasks }: { openTasks: number }) {
  const { t } = useTranslation();
  return (
    <NavMenu>
      <Link to="/app" rel="home">
        {t("nav.home")}
      </Link>
      {pages.map(([address, name]) => (
        <Link key={address} to={address}>
          {name === "tasks" && openTasks > 0 ? t("nav.openTasks", { count: openTasks }) : t(`nav.${name}`)}
        </Link>
      ))}
    </NavMenu>
  );
}

export { headers } from "#app/ui/headers.ts";
