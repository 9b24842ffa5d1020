import { useTranslation } from "react-i18next";

/**
 * Payment method and sales channel of an order in words. Both lists are open-ended: a value without a text of the app
 * is shown as recorded, and marked as another one.
 */
export function useOrderText(): {
  payment: (method: string) => string;
  channel: (channel: string) => string;
} {
  const { t } = useTranslation(["orders", "common"]);
  const methods: Partial<Record<string, string>> = t("payment", { returnObjects: true });
  const channels: Partial<Record<string, string>> = t("channel", { returnObjects: true });
  return {
    payment: (method) => methods[method] ?? t("common:unknown.payment", { raw: method }),
    channel: (channel) => channels[channel] ?? t("common:unknown.channel", { raw: channel }),
  };
}
