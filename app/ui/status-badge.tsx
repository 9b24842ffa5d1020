import { Badge } from "@shopify/polaris";
import type { BadgeProps } from "@shopify/polaris";

/**
 * A state in the merchant's words. Lists of states of the service are open-ended: one without a word of ours is shown
 * as the service names it, in plain tone.
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
  return <Badge tone={tones[status]}>{labels[status] ?? status.replaceAll("_", " ")}</Badge>;
}
