import { BlockStack, Box, Button, Icon, InlineStack, Link, Text } from "@shopify/polaris";
import { AlertTriangleIcon, CheckCircleIcon, ClockIcon } from "@shopify/polaris-icons";
import { useTranslation } from "react-i18next";
import { TitledCard } from "#app/ui/titled-card.tsx";
import type { CatalogueSetup } from "#app/catalogue/setup.server.ts";
import type { ConnectionView, PhoneNumberNeed } from "#app/merchants/connection.ts";
import type { TextGap } from "#app/offers/text-gaps.ts";
import { useShop } from "#app/ui/shop.tsx";
import type { Placement } from "#app/offers/placement.ts";

export interface Check {
  name:
    | "connected"
    | "products"
    | "offer"
    | "catalogue"
    | "languages"
    | "insurer"
    | "places"
    | "permissions"
    | "phone";
  /** null: it is not known, or under way */
  done: boolean | null;
  /** the app does it as part of going live */
  comesByItself?: boolean;
  /** the shop can go live without it */
  isRecommended?: boolean;
  text: string;
  /** where it is done */
  link?: { url: string; text: string };
}

interface CheckListProps {
  title: string;
  checks: Check[];
  action?: { content: string; disabled: boolean; loading: boolean; onAction: () => void };
}

/** Each check with its status and where it is done; below them the step they are for. */
export function CheckList({ title, checks, action }: CheckListProps) {
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
      {action && (
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
      )}
    </TitledCard>
  );
}

interface Known {
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
  /** where the merchant wants the offer besides the product page */
  cartPlaces: ("cart" | "mini_cart")[];
  /** something is turned on that the shop has not permitted yet */
  lacksPermission: boolean;
  phoneNumber: PhoneNumberNeed;
}

/** What has to be done before a shop goes live, in that order. */
export function useGoLiveChecks({
  production,
  catalogue,
  isOfferOn,
  placement,
  gaps,
  insurer,
  cartPlaces,
  lacksPermission,
  phoneNumber,
}: Known): Check[] {
  const { t } = useTranslation("goLive");
  const { locale } = useShop();
  const { insuredProducts, onSale, lastSync, isSyncing } = catalogue;
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
    {
      name: "insurer",
      done: insurer !== "",
      isRecommended: true,
      text: insurer === "" ? t("insurer.todo") : t("insurer.done", { insurer }),
      link: { url: "/app/touchpoints", text: t("insurer.action") },
    },
    ...placesChecks(),
    {
      name: "permissions",
      done: !lacksPermission,
      isRecommended: true,
      text: t(lacksPermission ? "permissions.todo" : "permissions.done"),
      link: { url: "/app/settings", text: t("permissions.action") },
    },
    ...phoneChecks(),
  ];

  /** What the merchant has switched off is not recommended. */
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

  /** Nothing to say where the service takes contracts without it. */
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
      url: `/app/touchpoints?language=${first.language}`,
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
