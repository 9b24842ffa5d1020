/** Going live: the checks before the shop sells with the production account, and the step itself. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Banner, BlockStack, Box, Button, Icon, InlineStack, Link, Page, Text } from "@shopify/polaris";
import { AlertTriangleIcon, CheckCircleIcon, ClockIcon } from "@shopify/polaris-icons";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { catalogueSetup, type CatalogueSetup, readSaleState } from "#app/catalogue/setup.server.ts";
import { type CountryOption, countryOptions } from "#app/quotes/countries.server.ts";
import { listConnections } from "#app/merchants/connection.server.ts";
import type { ConnectionView, PhoneNumberNeed } from "#app/merchants/connection.ts";
import { readAccounts } from "#app/merchants/environment.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { readPermissionModes } from "#app/merchants/optional-scopes.server.ts";
import { type LegalState, readLegalState } from "#app/offers/legal-gaps.server.ts";
import type { Placement } from "#app/offers/placement.ts";
import { readStorefrontSettings } from "#app/offers/storefront-settings.server.ts";
import { readTextGaps } from "#app/offers/text-gaps.server.ts";
import type { TextGap } from "#app/offers/text-gaps.ts";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { Deferred } from "#app/ui/deferred.tsx";
import { type ConnectionActionResult, ConnectionMessage } from "#app/ui/insurer-problem.tsx";
import { settingsAddress } from "#app/ui/settings-parts.ts";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useAction, useRevalidateOnReturn, useRevalidateWhile } from "#app/ui/use-action.ts";
import { usePlacement } from "#app/ui/use-placement.ts";
import type { Refusal } from "../../../extensions/sale-rule.ts";
import { Permitted } from "#app/ui/permitted.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant, locale } = await requireMerchant(request);
  const [connections, catalogue, storefront, { next }, permissions, { rule, refused }, law] =
    await Promise.all([
      listConnections(shop),
      catalogueSetup(shop, "production"),
      readStorefrontSettings(shop),
      readAccounts(shop),
      readPermissionModes(shop),
      readSaleState(shop),
      readLegalState(merchant),
    ]);
  const countries = countryOptions(locale).filter(({ value }) => rule.countries.includes(value));
  return {
    isLive: merchant.environment === "production",
    isGoingLive: next === "production",
    production: connections.find(({ environment }) => environment === "production") ?? null,
    catalogue,
    isOfferOn: storefront.touchpoints.product_page.on,
    insurer: storefront.insurer,
    law,
    cartPlaces: (["cart", "mini_cart"] as const).filter((name) => storefront.touchpoints[name].on),
    sale: { rule, refused, currency: merchant.currency, countries },
    lacksPermission: Object.values(permissions).includes("no_permission"),
    // Both accounts are at one insurer, so the requirement of one holds for the other.
    phoneNumber: connections.find(({ phoneNumber }) => phoneNumber !== "optional")?.phoneNumber ?? "optional",
    // The query to Shopify runs while the page is sent.
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

type StepsProps = Known & {
  /** the production catalogue is being synced; the shop switches afterwards */
  isGoingLive: boolean;
  sale: SaleState;
};

function Steps({ isGoingLive, sale, ...known }: StepsProps) {
  const { t } = useTranslation(["goLive", "common"]);
  const { isLive } = known;
  const checks = useGoLiveChecks(known);
  const withheld = useWithheld(sale);
  const fetcher = useAction<ConnectionActionResult>();
  const [asking, setAsking] = useState(false);
  const send = (intent: "use" | "stop") =>
    fetcher.submit({ intent, environment: "production" }, { method: "post", action: "/app/connection" });
  const isUnlawful = known.law.gaps.length > 0;
  const isOpen = checks.some(
    ({ done, comesByItself, isRecommended }) => done === false && !comesByItself && !isRecommended,
  );
  const openPoints = [...checks, ...withheld]
    .filter(({ done, comesByItself }) => done === false && !comesByItself)
    .map(({ name }) => t(`${name}.title`));
  return (
    <BlockStack gap="400">
      {isLive && (
        <Banner tone="success" title={t("live.title")}>
          <Text as="p">{t("live.body")}</Text>
        </Banner>
      )}
      {isGoingLive && (
        <Permitted to="/app/connection">
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
        </Permitted>
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
        checks={[...checks, ...withheld]}
        {...(isLive || isGoingLive
          ? {}
          : {
              action: {
                content: t("action"),
                disabled: known.production === null || isUnlawful,
                note: isUnlawful ? t("unlawful") : null,
                loading: fetcher.state !== "idle",
                onAction: () => setAsking(true),
              },
            })}
      />
      <SaleCard sale={sale} />
      <TitledCard title={t("testData.title")}>
        <Text as="p">{t("testData.body")}</Text>
        {!isLive && <Text as="p">{t("testData.carts")}</Text>}
      </TitledCard>
      <ConfirmModal
        open={asking}
        title={t("confirm.title")}
        body={[
          ...(isOpen ? [t("confirm.open")] : []),
          ...(openPoints.length === 0 ? [] : [t("confirm.points", { points: openPoints.join(" · ") })]),
          t("confirm.body"),
        ].join(" ")}
        confirm={t("action")}
        onConfirm={() => send("use")}
        onClose={() => setAsking(false)}
      />
    </BlockStack>
  );
}

interface Check {
  name:
    | "connected"
    | "products"
    | "offer"
    | "catalogue"
    | "languages"
    | "insurer"
    | "withdrawal"
    | "mail"
    | "places"
    | "permissions"
    | "phone"
    | "checkout"
    | "sale.currency"
    | "sale.yearly_premium"
    | "sale.monthly";
  /** null: not known, or in progress */
  done: boolean | null;
  /** the app does it as a part of going live */
  comesByItself?: boolean;
  /** the shop can go live without it */
  isRecommended?: boolean;
  text: string;
  /** the page where the merchant does it */
  link?: { url: string; text: string };
}

interface CheckListProps {
  title: string;
  checks: Check[];
  action?: {
    content: string;
    disabled: boolean;
    note: string | null;
    loading: boolean;
    onAction: () => void;
  };
}

/** Each check with its status and its page; below them the step itself. */
function CheckList({ title, checks, action }: CheckListProps) {
  const { t } = useTranslation("goLive");
  return (
    <TitledCard title={title}>
      {checks.map(({ name, done, comesByItself, isRecommended, text, link }) => (
        <InlineStack key={name} gap="200" wrap={false} blockAlign="start">
          <span>
            {done === true ? (
              <Icon source={CheckCircleIcon} tone="success" accessibilityLabel={t("done")} />
            ) : done === null || comesByItself ? (
              <Icon source={ClockIcon} tone="subdued" />
            ) : (
              <Icon source={AlertTriangleIcon} tone="caution" accessibilityLabel={t("open")} />
            )}
          </span>
          <BlockStack gap="050">
            <Text as="h3" variant="headingSm">
              {t(`${name}.title`)}
              {isRecommended && done !== true && (
                <Text as="span" tone="subdued" fontWeight="regular">
                  {` · ${t("recommended")}`}
                </Text>
              )}
            </Text>
            <Text as="p">
              {text} {link && done !== true && <Link url={link.url}>{link.text}</Link>}
            </Text>
          </BlockStack>
        </InlineStack>
      ))}
      {action && action.note !== null && <Text as="p">{action.note}</Text>}
      {action && (
        <Permitted to="/app/connection">
          <Box>
            <Button
              variant="primary"
              disabled={action.disabled}
              loading={action.loading}
              onClick={action.onAction}
            >
              {action.content}
            </Button>
          </Box>
        </Permitted>
      )}
    </TitledCard>
  );
}

interface Known {
  /** the shop sells with the production account */
  isLive: boolean;
  production: ConnectionView | null;
  /** of the production account */
  catalogue: CatalogueSetup;
  /** the merchant wants the offer on the product page */
  isOfferOn: boolean;
  /** undefined: being read; null: cannot be read */
  placement: Placement | null | undefined;
  /** undefined: being read; null: cannot be read */
  gaps: TextGap[] | null | undefined;
  /** the insurer's name, by the merchant */
  insurer: string;
  /** what the law requires and the shop lacks; it goes live only without such a gap */
  law: LegalState;
  /** where the merchant wants the offer besides the product page */
  cartPlaces: ("cart" | "mini_cart")[];
  /** an active setting needs a permission that the shop has not granted */
  lacksPermission: boolean;
  phoneNumber: PhoneNumberNeed;
}

/** The checks before a shop goes live, in that order. */
function useGoLiveChecks({
  isLive,
  production,
  catalogue,
  isOfferOn,
  placement,
  gaps,
  insurer,
  law,
  cartPlaces,
  lacksPermission,
  phoneNumber,
}: Known): Check[] {
  const { t } = useTranslation("goLive");
  const { locale } = useShop();
  const { insuredProducts, onSale, lastSync } = catalogue;
  // Once the shop is live, the end of the sync changes nothing that was promised.
  const isSyncing = catalogue.isSyncing && !(isLive && onSale > 0);
  const isConnected = production?.state === "accepted";
  return [
    {
      name: "connected",
      done: isConnected,
      text: isConnected ? t("connected.done") : t("connected.todo"),
      link: { url: "/app/connection?account=production", text: t("connected.action") },
    },
    {
      name: "products",
      done: insuredProducts > 0,
      text: insuredProducts > 0 ? t("products.done", { count: insuredProducts }) : t("products.todo"),
      link: { url: "/app/products", text: t("products.action") },
    },
    offerCheck(),
    {
      name: "catalogue",
      done: isSyncing ? null : onSale > 0,
      comesByItself: true,
      text: isSyncing
        ? t("catalogue.running")
        : onSale > 0
          ? t("catalogue.done", { count: onSale })
          : t(lastSync === "failed" ? "catalogue.failed" : "catalogue.todo"),
      ...(lastSync === null ? {} : { link: { url: "/app/catalogue", text: t("catalogue.action") } }),
    },
    languagesCheck(),
    insurerCheck(),
    ...legalChecks(),
    ...placesChecks(),
    {
      name: "permissions",
      done: !lacksPermission,
      isRecommended: true,
      text: t(lacksPermission ? "permissions.todo" : "permissions.done"),
      link: { url: settingsAddress("sale", "orders"), text: t("permissions.action") },
    },
    ...phoneChecks(),
    // Shopify does not tell apps how the checkout is set.
    { name: "checkout", done: null, isRecommended: true, text: t("checkout.todo") },
  ];

  /** In Europe the law requires the insurer's name, its address and a contact for complaints before the sale. */
  function insurerCheck(): Check {
    if (!law.isEuropean) {
      const text = insurer === "" ? t("insurer.todo") : t("insurer.done", { insurer });
      const link = { url: "/app/touchpoints?place=texts#insurer", text: t("insurer.action") };
      return { name: "insurer", done: insurer !== "", isRecommended: true, text, link };
    }
    const texts = (["insurer", "insurer_address", "complaints"] as const).filter((gap) =>
      law.gaps.includes(gap),
    );
    const missing = new Intl.ListFormat(locale).format(texts.map((gap) => t(`insurer.text.${gap}`)));
    const text = texts.length > 0 ? t("insurer.missing", { missing }) : t("insurer.complete", { insurer });
    const link = { url: `/app/touchpoints?place=texts#${texts[0] ?? "insurer"}`, text: t("insurer.action") };
    return { name: "insurer", done: texts.length === 0, text, link };
  }

  function legalChecks(): Check[] {
    const lacksDays = law.gaps.includes("withdrawal_days");
    const hasTwoDeadlines = law.gaps.includes("two_deadlines");
    const sendsMail = !law.gaps.includes("mail");
    return [
      {
        name: "withdrawal",
        done: !lacksDays && !hasTwoDeadlines,
        text: t(
          lacksDays ? "withdrawal.todo" : hasTwoDeadlines ? "withdrawal.twoDeadlines" : "withdrawal.done",
        ),
        link: { url: settingsAddress("returns"), text: t("withdrawal.action") },
      },
      ...(law.isEuropean
        ? [{ name: "mail" as const, done: sendsMail, text: t(sendsMail ? "mail.done" : "mail.todo") }]
        : []),
    ];
  }

  /** Touchpoints that the merchant has switched off are not recommended. */
  function placesChecks(): Check[] {
    if (cartPlaces.length === 0) return [];
    const check = { name: "places", isRecommended: true } as const;
    if (placement === undefined) return [{ ...check, done: null, text: t("offer.reading") }];
    if (placement === null) return [{ ...check, done: null, text: t("places.unknown") }];
    const missing = cartPlaces.filter((place) => !placement.placed.has(place));
    if (missing.length === 0) return [{ ...check, done: true, text: t("places.done") }];
    const places = new Intl.ListFormat(locale).format(missing.map((place) => t(`places.name.${place}`)));
    const link = { url: "/app/touchpoints", text: t("offer.action") };
    return [{ ...check, done: false, text: t("places.todo", { places }), link }];
  }

  /** Nothing if the insurer accepts contracts without a phone number. */
  function phoneChecks(): Check[] {
    if (phoneNumber === "optional") return [];
    const isAsked = phoneNumber === "asked";
    const link = { url: "/app/settings", text: t("phone.action") };
    return [
      {
        name: "phone",
        done: isAsked,
        isRecommended: true,
        text: t(isAsked ? "phone.done" : "phone.todo"),
        link,
      },
    ];
  }

  function languagesCheck(): Check {
    const check = { name: "languages", isRecommended: true } as const;
    if (gaps === undefined) return { ...check, done: null, text: t("languages.reading") };
    if (gaps === null) return { ...check, done: null, text: t("languages.unknown") };
    const [first] = gaps;
    if (!first) return { ...check, done: true, text: t("languages.done") };
    const names = new Intl.DisplayNames(locale, { type: "language" });
    const languages = new Intl.ListFormat(locale).format(
      gaps.map(({ language }) => names.of(language) ?? language),
    );
    const link = {
      url: `/app/touchpoints?place=texts&language=${first.language}#covers`,
      text: t("languages.action", { count: first.missing.length }),
    };
    return { ...check, done: false, text: t("languages.todo", { languages }), link };
  }

  function offerCheck(): Check {
    const link = { url: "/app/touchpoints", text: t("offer.action") };
    if (!isOfferOn) return { name: "offer", done: false, text: t("offer.off"), link };
    if (placement === undefined) return { name: "offer", done: null, text: t("offer.reading") };
    if (placement === null) return { name: "offer", done: null, text: t("offer.unknown") };
    return placement.placed.has("product_page")
      ? { name: "offer", done: true, text: t("offer.done") }
      : { name: "offer", done: false, text: t("offer.todo"), link };
  }
}

interface SaleState {
  /** withheld references of the current account, by reason */
  refused: Partial<Record<Refusal, number>>;
  /** references that the rule withholds, with their names */
  countries: CountryOption[];
}

/** What the rules of sale withhold until the merchant decides. */
function useWithheld({ refused }: SaleState): Check[] {
  const { t } = useTranslation("goLive");
  const { currency = 0, yearly_premium: aboveLimit = 0, monthly = 0 } = refused;
  const check = (name: "currency" | "yearly_premium" | "monthly", count: number, field: string): Check[] =>
    count === 0
      ? []
      : [
          {
            name: `sale.${name}`,
            done: false,
            isRecommended: true,
            text: t(`sale.${name}.withheld`, { count }),
            link: { url: settingsAddress("sale", field), text: t("sale.action") },
          },
        ];
  return [
    ...check("currency", currency, "sale"),
    ...check("yearly_premium", aboveLimit, "registrationNumber"),
    ...check("monthly", monthly, "sale"),
  ];
}

/** What may be sold, in one sentence: these are the merchant's rules, and no check. */
function SaleCard({ sale }: { sale: SaleState }) {
  const { t } = useTranslation(["goLive", "settings"]);
  const { locale } = useShop();
  const names = sale.countries.map(({ value, label }) =>
    value === "FR" ? t("settings:sale.metropolitan") : label,
  );
  return (
    <TitledCard title={t("sale.title")}>
      <Text as="p">
        {names.length === 0
          ? t("sale.country.unknown")
          : t("sale.country.done", { countries: new Intl.ListFormat(locale).format(names) })}{" "}
        <Link url={settingsAddress("sale", "sale")}>{t("sale.action")}</Link>
      </Text>
    </TitledCard>
  );
}

export { shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
