import { useTranslation } from "react-i18next";

/**
 * Payment method and sales channel of an order in words. Both lists are open-ended: a value without words is shown as
 * it is recorded.
 */
export function useOrderText(): {
  payment: (method: string) => string;
  channel: (channel: string) => string;
} {
  const { t } = useTranslation("orders");
  const methods: Partial<Record<string, string>> = t("payment", { returnObjects: true });
  const channels: Partial<Record<string, string>> = t("channel", { returnObjects: true });
  return {
    payment: (method) => methods[method] ?? method.replaceAll("_", " "),
    channel: (channel) => channels[channel] ?? channel.replaceAll("_", " "),
  };
}
