import { describe, expect, it } from "vitest";
import {
  isHistoryCause,
  mayHaveContract,
  otherCauses,
  sourceStates,
  transitions,
  itemStates,
} from "#app/orders/book/item-states.ts";
import type { ItemState } from "#app/orders/book/item-states.ts";

describe("the table of transitions", () => {
  it("quotes from pending to every state and from every state to cancelled", () => {
    const causes = Object.values(transitions);
    const reach = (start: ItemState, next: (state: ItemState) => ItemState[]): Set<ItemState> => {
      const seen = new Set<ItemState>([start]);
      for (const state of seen) for (const other of next(state)) seen.add(other);
      return seen;
    };
    const forward = (state: ItemState) =>
      causes.filter(({ from }) => (from as readonly ItemState[]).includes(state)).map(({ to }) => to);
    expect(reach("pending", forward)).toEqual(new Set(itemStates));
    for (const state of itemStates) expect(reach(state, forward)).toContain("cancelled");
    expect(forward("cancelled")).toEqual([]);
  });
});

it("an item's history has the causes of its transitions, those without one, and nothing else", () => {
  for (const cause of [...Object.keys(transitions), ...otherCauses]) expect(isHistoryCause(cause)).toBe(true);
  for (const other of ["", "toString", "pending", 0, null, ["send"]])
    expect(isHistoryCause(other)).toBe(false);
});

describe("a contract", () => {
  it("is, or may be, in force while its creation is open and until it is cancelled", () => {
    const without = itemStates.filter((state) => mayHaveContract({ state, contractId: null }));
    expect(without).toEqual(["creating", "unknown"]);
    const withOne = itemStates.filter((state) => mayHaveContract({ state, contractId: "c" }));
    expect(withOne).toEqual(itemStates.filter((state) => state !== "cancelled"));
  });

  it("is requested again only where it never was, certainly was not created, or was looked up", () => {
    const ways = Object.entries(transitions).filter(([, { to }]) => to === "pending");
    expect(ways.map(([cause]) => cause).sort()).toEqual(["deferred", "not_found", "retry"]);
  });

  it("is created only from where its creation was sent", () => {
    expect(sourceStates("created")).toEqual(["creating"]);
  });
});
