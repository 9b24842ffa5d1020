import { Banner, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { useAction } from "#app/ui/use-action.ts";
import type { SettingsActionResult } from "./settings-form.tsx";

/** The service refuses contracts without a phone number: what to do at the checkout, and that it was done. */
export function PhoneNumberBanner() {
  const { t } = useTranslation("settings");
  const fetcher = useAction<SettingsActionResult>();
  return (
    <Banner
      tone="warning"
      title={t("phone.title")}
      action={{ content: t("phone.open"), url: "shopify://admin/settings/checkout", target: "_top" }}
      secondaryAction={{
        content: t("phone.done"),
        onAction: () =>
          fetcher.submit({ intent: "phone_asked" }, { method: "post", encType: "application/json" }),
      }}
    >
      <Text as="p">{t("phone.body")}</Text>
    </Banner>
  );
}
