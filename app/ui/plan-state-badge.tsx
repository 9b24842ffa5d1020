import { Badge } from "@shopify/polaris";
import type { BadgeProps } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { UnitState } from "#app/plans/ledger/unit-states.ts";

const tones: Record<UnitState, BadgeProps["tone"]> = {
  pending: "info",
  creating: "info",
  unknown: "info",
  active: "success",
  refused: "critical",
  cancelling: "warning",
  cancelled: undefined,
  attention: "attention",
};

/** The state of a plan in the merchant's words, or in others that fit the place. */
export function PlanStateBadge({ state, text }: { state: UnitState; text?: string }) {
  const { t } = useTranslation("plans");
  return <Badge tone={tones[state]}>{text ?? t(`state.${state}`)}</Badge>;
}
