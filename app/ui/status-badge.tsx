import { Badge } from "@shopify/polaris";
import type { BadgeProps } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { ItemState } from "#app/orders/book/item-states.ts";

/**
 * A state in the merchant's words. The insurer's lists of states are open-ended: a state without a text of the app
 * shows as unknown, with the insurer's name for it, in plain tone.
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

export function QuoteStateBadge({ state }: { state: string }) {
  const { t } = useTranslation("quotes");
  return (
    <StatusBadge
      status={state}
      labels={{
        active: t("state.active"),
        expired: t("state.expired"),
        revoked: t("state.revoked"),
        sold: t("state.sold"),
        sending: t("state.sending"),
        unknown: t("state.unknown"),
      }}
      tones={{ active: "success", sold: "info", sending: "info", unknown: "attention" }}
    />
  );
}

const tones: Record<ItemState, BadgeProps["tone"]> = {
  pending: "info",
  creating: "info",
  unknown: "info",
  active: "success",
  refused: "critical",
  cancelling: "warning",
  cancelled: undefined,
  attention: "attention",
};

/** The state of a plan in the merchant's words, or in the given ones. */
export function PlanStateBadge({ state, text }: { state: ItemState; text?: string }) {
  const { t } = useTranslation("plans");
  return <Badge tone={tones[state]}>{text ?? t(`state.${state}`)}</Badge>;
}
