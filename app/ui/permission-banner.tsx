import { useFetcher } from "@remix-run/react";
import { Banner, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { useActionResult } from "./use-action-result.ts";
import { useToast } from "./use-toast.ts";
import type { ActionResult } from "./action-result.ts";

/** Optional scopes are asked for by Shopify itself; then the server looks what was granted. */
export function PermissionBanner({
  scopes,
  of,
}: {
  scopes: readonly string[];
  of: "fulfilment" | "cover" | "quotes";
}) {
  const { t } = useTranslation("settings");
  const fetcher = useFetcher<ActionResult<null, string, string>>();
  const toast = useToast();
  useActionResult(fetcher.data, ({ state }) => {
    if (state === "refused") toast(t("orders.permission.unavailable"), { isError: true });
  });
  const askMerchant = async () => {
    const { result } = await window.shopify.scopes.request([...scopes]);
    if (result === "declined-all") {
      toast(t("orders.permission.declined"), { isError: true });
      return;
    }
    fetcher.submit(
      { intent: "permission_asked" },
      { method: "post", encType: "application/json", action: "/app/settings" },
    );
  };
  return (
    <Banner
      tone="info"
      title={t(`orders.permission.${of}.title`)}
      action={{ content: t("orders.permission.action"), onAction: () => void askMerchant() }}
    >
      <Text as="p">{t(`orders.permission.${of}.body`)}</Text>
    </Banner>
  );
}
