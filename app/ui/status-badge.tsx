import { Badge } from "@shopify/polaris";
import type { BadgeProps } from "@shopify/polaris";
import { useTranslation } from "react-i18next";

/**
 * A state in the merchant's words. The service's lists of states are open-ended: a state without a text of the app is
 * shown as unknown, with the service's name for it, in plain tone.
 */
export function StatusBadge({
  status,
  labels,
  tones,
}: {
  status: string;
  labels: Partial<Record<string, string>>;
  tones: Partial<Record<string, BadgeProps["tone"]>>;
}) {
  const { t } = useTranslation();
  return <Badge tone={tones[status]}>{labels[status] ?? t("unknown.state", { raw: status })}</Badge>;
}
