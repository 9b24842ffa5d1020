import { Banner, List, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { useState } from "react";
import { fulfilmentScopes } from "#app/shopify/fulfilment.ts";
import type { ActionResult } from "./action-result.ts";
import { useActionResult, useAction, useToast } from "./use-action.ts";

const scopes = {
  fulfilment: fulfilmentScopes,
  orderCover: ["write_orders"],
  orderTags: ["write_orders"],
  quotes: ["write_orders"],
  draftOrders: ["read_draft_orders", "write_draft_orders"],
} as const;

interface Props {
  /** the uses of the optional scopes that the shop has not granted */
  missing: readonly (keyof typeof scopes)[];
}

/** Shopify shows one dialog for all missing optional scopes; then the server reads the granted ones. */
export function PermissionBanner({ missing }: Props) {
  const { t } = useTranslation("settings");
  const fetcher = useAction<ActionResult<null, string, string>>();
  const toast = useToast();
  const [isDeclined, setDeclined] = useState(false);
  const problem = fetcher.data?.state === "refused" ? "unavailable" : isDeclined ? "declined" : null;
  useActionResult(fetcher.data, ({ state }) => {
    if (state === "success") toast(t("orders.permission.granted"));
  });
  const askMerchant = async () => {
    const { result } = await window.shopify.scopes.request(missing.flatMap((feature) => scopes[feature]));
    setDeclined(result === "declined-all");
    if (result === "declined-all") return;
    fetcher.submit(
      { intent: "permission_asked" },
      { method: "post", encType: "application/json", action: "/app/settings" },
    );
  };
  if (missing.length === 0) return null;
  return (
    <Banner
      tone={problem === null ? "info" : "warning"}
      title={t(problem === null ? "orders.permission.title" : `orders.permission.${problem}`)}
      action={{ content: t("orders.permission.action"), onAction: () => void askMerchant() }}
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
  );
}
