/** Going live: what has to be done before the shop sells with the production account, and the step itself. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Banner, BlockStack, Page, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { catalogueSetup } from "#app/catalogue/setup.server.ts";
import { listConnections } from "#app/merchants/connection.server.ts";
import { readPermissionModes } from "#app/merchants/optional-scopes.server.ts";
import { readAccounts } from "#app/merchants/environment.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { readStorefrontSettings } from "#app/offers/storefront-settings.server.ts";
import { readTextGaps } from "#app/offers/text-gaps.server.ts";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { Deferred } from "#app/ui/deferred.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { usePlacement } from "#app/ui/use-placement.ts";
import { useAction, useRevalidateOnReturn, useRevalidateWhile } from "#app/ui/use-action.ts";
import { type ConnectionActionResult, ConnectionMessage } from "#app/ui/service-problem.tsx";
import { CheckList, useGoLiveChecks } from "./check-list.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const [connections, catalogue, storefront, { next }, permissions] = await Promise.all([
    listConnections(shop),
    catalogueSetup(shop, "production"),
    readStorefrontSettings(shop),
    readAccounts(shop),
    readPermissionModes(shop),
  ]);
  return {
    isLive: merchant.environment === "production",
    isGoingLive: next === "production",
    production: connections.find(({ environment }) => environment === "production") ?? null,
    catalogue,
    isOfferOn: storefront.touchpoints.product_page.on,
    insurer: storefront.insurer,
    cartPlaces: (["cart", "mini_cart"] as const).filter((name) => storefront.touchpoints[name].on),
    lacksPermission: Object.values(permissions).includes("no_permission"),
    // What one account said of it is true of the other: the insurer is the same.
    phoneNumber: connections.find(({ phoneNumber }) => phoneNumber !== "optional")?.phoneNumber ?? "optional",
    // The query to the shop runs while the page is sent.
    gaps: readTextGaps(shop, merchant.environment),
  };
}

export default function GoLive() {
  const { gaps, ...known } = useLoaderData<typeof loader>();
  const { placement } = usePlacement();
  const { t } = useTranslation("goLive");
  useRevalidateOnReturn();
  useRevalidateWhile(known.isGoingLive || known.catalogue.isSyncing);
  return (
    <Page title={t("title")} subtitle={t("subtitle")}>
      <Deferred value={gaps}>{(found) => <Steps {...known} placement={placement} gaps={found} />}</Deferred>
    </Page>
  );
}

type StepsProps = Parameters<typeof useGoLiveChecks>[0] & {
  isLive: boolean;
  /** the production catalogue is being synced, and then the shop changes */
  isGoingLive: boolean;
};

function Steps({ isLive, isGoingLive, ...known }: StepsProps) {
  const { t } = useTranslation(["goLive", "common"]);
  const checks = useGoLiveChecks(known);
  const fetcher = useAction<ConnectionActionResult>();
  const [asking, setAsking] = useState(false);
  const send = (intent: "use" | "stop") =>
    fetcher.submit({ intent, environment: "production" }, { method: "post", action: "/app/connection" });
  const isOpen = checks.some(
    ({ done, comesByItself, isRecommended }) => done === false && !comesByItself && !isRecommended,
  );
  return (
    <BlockStack gap="400">
      {isLive && (
        <Banner tone="success" title={t("live.title")}>
          <Text as="p">{t("live.body")}</Text>
        </Banner>
      )}
      {isGoingLive && (
        <Banner
          tone="info"
          title={t("going.title")}
          action={{
            content: t("going.stop"),
            loading: fetcher.state !== "idle",
            onAction: () => send("stop"),
          }}
        >
          <Text as="p">{t("going.body")}</Text>
        </Banner>
      )}
      {fetcher.data && fetcher.data.state !== "success" && (
        <ConnectionMessage
          result={fetcher.data}
          environment={t("common:environment.production")}
          next={null}
        />
      )}
      <CheckList
        title={isLive ? t("checked") : t("checks")}
        checks={checks}
        {...(isLive || isGoingLive
          ? {}
          : {
              action: {
                content: t("action"),
                disabled: known.production === null,
                loading: fetcher.state !== "idle",
                onAction: () => setAsking(true),
              },
            })}
      />
      <TitledCard title={t("testData.title")}>
        <Text as="p">{t("testData.body")}</Text>
        {!isLive && <Text as="p">{t("testData.carts")}</Text>}
      </TitledCard>
      <ConfirmModal
        open={asking}
        title={t("confirm.title")}
        body={isOpen ? `${t("confirm.open")} ${t("confirm.body")}` : t("confirm.body")}
        confirm={t("action")}
        onConfirm={() => send("use")}
        onClose={() => setAsking(false)}
      />
    </BlockStack>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
