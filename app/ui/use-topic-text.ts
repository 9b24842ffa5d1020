import { useTranslation } from "react-i18next";

/** A webhook topic in words: `orders/paid` is “order paid”. A topic without words is shown as the platform names it. */
export function useTopicText(): (topic: string) => string {
  const { t } = useTranslation("activity");
  const words: Partial<Record<string, string>> = t("topic", { returnObjects: true });
  return (topic) => words[topic] ?? topic;
}
