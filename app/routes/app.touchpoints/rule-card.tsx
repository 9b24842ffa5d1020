/** The rule at the checkout: as the shop has it, and turned on and off there at once. */
import { Badge, BlockStack, Button, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { useState } from "react";
import { checkoutRuleScopes } from "#app/offers/checkout-rule.ts";
import type { CheckoutRuleState } from "#app/offers/checkout-rule.ts";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { Deferred } from "#app/ui/deferred.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useActionResult, useAction, useToast } from "#app/ui/use-action.ts";
import { useErrorBanner } from "#app/ui/error-banner.tsx";
import type { CheckoutRuleResult } from "../app.touchpoints_.rule.tsx";

const tones = {
  on: "success",
  blocking: "attention",
  off: undefined,
  no_permission: undefined,
  limit_reached: "critical",
  not_deployed: "critical",
} as const;

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
      <Badge tone={tones[state]}>{t(`rule.state.${state}`)}</Badge>
      <Text as="p">{t(`rule.explain.${state}`)}</Text>
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
