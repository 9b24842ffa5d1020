import { describe, expect, it } from "vitest";
import {
  isHistoryCause,
  mayHaveContract,
  otherCauses,
  sourceStates,
  transitions,
  unitStates,
} from "#app/orders/ledger/unit-states.ts";
import type { UnitState } from "#app/orders/ledger/unit-states.ts";

describe("the table of transitions", () => {
  it("leads from pending to every state and from every state to cancelled", () => {
    const causes = Object.values(transitions);
    const reach = (start: UnitState, next: (state: UnitState) => UnitState[]): Set<UnitState> => {
      const seen = new Set<UnitState>([start]);
      for (const state of seen) for (const other of next(state)) seen.add(other);
      return seen;
    };
    const forward = (state: UnitState) =>
      causes.filter(({ from }) => (from as readonly UnitState[]).includes(state)).map(({ to }) => to);
    expect(reach("pending", forward)).toEqual(new Set(unitStates));
    for (const state of unitStates) expect(reach(state, forward)).toContain("cancelled");
    expect(forward("cancelled")).toEqual([]);
  });
});

it("a unit's history has the causes of its transitions, those without one, and nothing else", () => {
  for (const cause of [...Object.keys(transitions), ...otherCauses]) expect(isHistoryCause(cause)).toBe(true);
  for (const other of ["", "toString", "pending", 0, null, ["send"]])
    expect(isHistoryCause(other)).toBe(false);
});

describe("a contract", () => {
  it("is, or may be, in force while its creation is open and until it is cancelled", () => {
    const without = unitStates.filter((state) => mayHaveContract({ state, contractId: null }));
    expect(without).toEqual(["creating", "unknown"]);
    const withOne = unitStates.filter((state) => mayHaveContract({ state, contractId: "c" }));
    expect(withOne).toEqual(unitStates.filter((state) => state !== "cancelled"));
  });

  it("is requested again only where it never was, certainly was not created, or was looked up", () => {
    const ways = Object.entries(transitions).filter(([, { to }]) => to === "pending");
    expect(ways.map(([cause]) => cause).sort()).toEqual(["deferred", "not_found", "retry"]);
  });

  it("is created only from where its creation was sent", () => {
    expect(sourceStates("created")).toEqual(["creating"]);
  });
});
