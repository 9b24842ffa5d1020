import { Badge, Banner, BlockStack, Button, InlineStack, Link, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { checkoutRuleScopes, type CheckoutRuleState } from "#app/offers/checkout-rule.ts";
import type { AdjustedPriceList } from "#app/offers/price-lists.server.ts";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { Deferred } from "#app/ui/deferred.tsx";
import { useErrorBanner } from "#app/ui/error-banner.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useAction, useActionResult, useToast } from "#app/ui/use-action.ts";
import type { FixPricesResult } from "../app.touchpoints_.prices.tsx";
import type { CheckoutRuleResult } from "../app.touchpoints_.rule.tsx";
import { Permitted } from "#app/ui/permitted.tsx";

/** The markets that charge another price for a plan than its offer shows, each with the way to the shown price. */
export function AdjustedPricesBanner({ priceLists }: { priceLists: readonly AdjustedPriceList[] | null }) {
  const { t } = useTranslation("touchpoints");
  if (!priceLists || priceLists.length === 0) return null;
  return (
    <Banner tone="warning" title={t("adjusted.title")}>
      <BlockStack gap="200">
        <Text as="p">{t("adjusted.body")}</Text>
        {priceLists.map((priceList) => (
          <AdjustedMarket key={priceList.id} {...priceList} />
        ))}
      </BlockStack>
    </Banner>
  );
}

/** Where Shopify refused to publish plan products at the last run. */
export function UnsoldBanner({ places }: { places: readonly string[] }) {
  const { t } = useTranslation("touchpoints");
  if (places.length === 0) return null;
  return (
    <Banner
      tone="warning"
      title={t("unsold.title")}
      action={{ content: t("unsold.action"), url: "/app/catalogue" }}
    >
      <BlockStack gap="200">
        <Text as="p">{t("unsold.body")}</Text>
        {places.map((place) => (
          <Text key={place} as="p">
            {place}
          </Text>
        ))}
      </BlockStack>
    </Banner>
  );
}

function AdjustedMarket({ id, name, percent, plansToFix }: AdjustedPriceList) {
  const { t, i18n } = useTranslation("touchpoints");
  const fetcher = useAction<FixPricesResult>();
  const toast = useToast();
  const showError = useErrorBanner();
  useActionResult(fetcher.data, (result) => {
    if (result.state === "success") toast(t("adjusted.fixed", { name }));
    else showError(t(`adjusted.problem.${result.reason}`));
  });
  const change = new Intl.NumberFormat(i18n.language, {
    style: "percent",
    signDisplay: "exceptZero",
    maximumFractionDigits: 2,
  }).format(percent / 100);
  return (
    <InlineStack gap="300" align="space-between" blockAlign="center">
      <Text as="p">{t("adjusted.market", { name, change, count: plansToFix })}</Text>
      <Permitted>
        <Button
          loading={fetcher.state !== "idle"}
          onClick={() =>
            fetcher.submit({ priceList: id }, { method: "post", action: "/app/touchpoints/prices" })
          }
          accessibilityLabel={t("adjusted.fixIn", { name })}
        >
          {t("adjusted.fix")}
        </Button>
      </Permitted>
    </InlineStack>
  );
}

const ruleTones = {
  on: "success",
  blocking: "attention",
  off: undefined,
  no_permission: undefined,
  limit_reached: "critical",
  not_deployed: "critical",
} as const;

/** The rule at the checkout: its state in the shop, and the switch, which takes effect at once. */
export function RuleCard({ rule }: { rule: Promise<CheckoutRuleState | null> }) {
  const { t } = useTranslation("touchpoints");
  return (
    <TitledCard title={t("rule.title")} help={t("rule.help")}>
      <Deferred value={rule}>
        {(state) => {
          if (state === undefined) return <Badge>{t("rule.reading")}</Badge>;
          return state === null ? <Text as="p">{t("rule.unknown")}</Text> : <Rule state={state} />;
        }}
      </Deferred>
      <Link url="shopify://admin/settings/checkout" target="_top">
        {t("rule.open")}
      </Link>
    </TitledCard>
  );
}

function Rule({ state }: { state: CheckoutRuleState }) {
  const { t } = useTranslation("touchpoints");
  const toast = useToast();
  const showError = useErrorBanner();
  const fetcher = useAction<CheckoutRuleResult>();
  const [asking, setAsking] = useState(false);
  const isOn = state === "on" || state === "blocking";
  useActionResult(fetcher.data, (result) => {
    if (result.state === "success") toast(t(`rule.said.${result.value}`));
    else showError(t(`rule.problem.${result.reason}`));
  });
  const send = (intent: "turn_on" | "turn_off") =>
    fetcher.submit({ intent }, { method: "post", action: "/app/touchpoints/rule" });
  const turnOn = async () => {
    if (state === "no_permission") {
      const { result } = await window.shopify.scopes.request(checkoutRuleScopes);
      if (result === "declined-all") {
        showError(t("rule.problem.no_permission"));
        return;
      }
    }
    send("turn_on");
  };
  return (
    <BlockStack gap="200" inlineAlign="start">
      <Badge tone={ruleTones[state]}>{t(`rule.state.${state}`)}</Badge>
      <Text as="p">{t(`rule.explain.${state}`)}</Text>
      <Permitted>
        <InlineStack gap="200">
          {state !== "on" && (
            <Button
              loading={fetcher.state !== "idle"}
              disabled={state === "limit_reached" || state === "not_deployed"}
              onClick={() => void turnOn()}
            >
              {t(state === "blocking" ? "rule.letPass" : "rule.turnOn")}
            </Button>
          )}
          {isOn && (
            <Button loading={fetcher.state !== "idle"} onClick={() => setAsking(true)}>
              {t("rule.turnOff")}
            </Button>
          )}
        </InlineStack>
      </Permitted>
      <ConfirmModal
        open={asking}
        title={t("rule.confirm.title")}
        body={t("rule.confirm.body")}
        confirm={t("rule.turnOff")}
        destructive
        onConfirm={() => send("turn_off")}
        onClose={() => setAsking(false)}
      />
    </BlockStack>
  );
}
