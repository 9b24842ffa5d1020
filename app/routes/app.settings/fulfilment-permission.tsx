import { useFetcher } from "@remix-run/react";
import { Banner, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { fulfilmentScopes } from "#app/shopify/fulfilment.ts";
import { useActionResult } from "#app/ui/use-action-result.ts";
import { useToast } from "#app/ui/use-toast.ts";
import type { SettingsActionResult } from "./settings-form.tsx";

/** The scope is optional, so Shopify itself asks the merchant for it; then the server looks what was granted. */
export function FulfilmentPermission() {
  const { t } = useTranslation("settings");
  const fetcher = useFetcher<SettingsActionResult>();
  const toast = useToast();
  useActionResult(fetcher.data, ({ state }) => {
    if (state === "refused") toast(t("orders.permission.unavailable"), { isError: true });
  });
  const askMerchant = async () => {
    const { result } = await window.shopify.scopes.request([...fulfilmentScopes]);
    if (result === "declined-all") {
      toast(t("orders.permission.declined"), { isError: true });
      return;
    }
    fetcher.submit({ intent: "permission_asked" }, { method: "post", encType: "application/json" });
  };
  return (
    <Banner
      tone="info"
      title={t("orders.permission.title")}
      action={{ content: t("orders.permission.action"), onAction: () => void askMerchant() }}
    >
      <Text as="p">{t("orders.permission.body")}</Text>
    </Banner>
  );
}
