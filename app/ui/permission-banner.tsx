import { Banner, List, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { useState } from "react";
import { fulfilmentScopes } from "#app/shopify/fulfilment.ts";
import type { ActionResult } from "./action-result.ts";
import { useActionResult, useAction, useToast } from "./use-action.ts";
import { Permitted } from "./permitted.tsx";

const scopes = {
  fulfilment: fulfilmentScopes,
  orderCover: ["write_orders"],
  orderTags: ["write_orders"],
  quotes: ["write_orders"],
  draftOrders: ["read_draft_orders", "write_draft_orders"],
} as const;

/** A use of an optional scope. */
export type PermissionUse = keyof typeof scopes;

/** Shopify shows one dialog for all missing optional scopes; then the server reads the granted ones. */
export function usePermissionRequest(missing: readonly PermissionUse[]): {
  request: () => void;
  problem: "unavailable" | "declined" | null;
} {
  const { t } = useTranslation("settings");
  const fetcher = useAction<ActionResult<null, string, string>>();
  const toast = useToast();
  const [isDeclined, setDeclined] = useState(false);
  useActionResult(fetcher.data, ({ state }) => {
    if (state === "success") toast(t("orders.permission.granted"));
  });
  const askMerchant = async () => {
    const { result } = await window.shopify.scopes.request(missing.flatMap((use) => scopes[use]));
    setDeclined(result === "declined-all");
    if (result === "declined-all") return;
    fetcher.submit(
      { intent: "permission_asked" },
      { method: "post", encType: "application/json", action: "/app/settings" },
    );
  };
  return {
    request: () => void askMerchant(),
    problem: fetcher.data?.state === "refused" ? "unavailable" : isDeclined ? "declined" : null,
  };
}

/** The uses whose optional scopes the shop has not granted, with the button that requests them. */
export function PermissionBanner({ missing }: { missing: readonly PermissionUse[] }) {
  const { t } = useTranslation("settings");
  const { request, problem } = usePermissionRequest(missing);
  if (missing.length === 0) return null;
  return (
    <Permitted to="/app/settings">
      <Banner
        tone={problem === null ? "info" : "warning"}
        title={t(problem === null ? "orders.permission.title" : `orders.permission.${problem}`)}
        action={{ content: t("orders.permission.action"), onAction: request }}
      >
        {problem === "declined" && <Text as="p">{t("orders.permission.whatNow")}</Text>}
        {missing.length === 1 ? (
          missing.map((feature) => (
            <Text key={feature} as="p">
              {t(`orders.permission.${feature}`)}
            </Text>
          ))
        ) : (
          <List>
            {missing.map((feature) => (
              <List.Item key={feature}>{t(`orders.permission.${feature}`)}</List.Item>
            ))}
          </List>
        )}
      </Banner>
    </Permitted>
  );
}
