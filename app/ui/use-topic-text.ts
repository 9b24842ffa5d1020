import { useTranslation } from "react-i18next";

/**
 * A webhook topic in words: `orders/paid` is “Order paid”. A topic without a text of the app is shown with the
 * platform's name.
 */
export function useTopicText(): (topic: string) => string {
  const { t } = useTranslation(["history", "common"]);
  const words: Partial<Record<string, string>> = t("topic", { returnObjects: true });
  return (topic) => words[topic] ?? t("common:unknown.topic", { raw: topic });
}
