/** What a person can do about a plan in its state. The actions themselves: actions.server.ts. */
import type { UnitState } from "./unit-states.ts";

export const unitActions = ["retry", "end", "confirm_cancelled"] as const;
export type UnitAction = (typeof unitActions)[number];

export interface UnitInQuestion {
  state: UnitState;
  wanted: boolean;
  contractId: string | null;
}

export function actionsOnUnit({ state, wanted, contractId }: UnitInQuestion): UnitAction[] {
  const stuck = state === "refused" || state === "attention";
  return [
    ...(stuck && contractId === null ? (["retry"] as const) : []),
    ...(state === "attention" && contractId !== null ? (["confirm_cancelled"] as const) : []),
    ...(wanted && state !== "cancelled" ? (["end"] as const) : []),
  ];
}
