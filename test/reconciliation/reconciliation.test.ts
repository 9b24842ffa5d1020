import { describe, expect, it } from "vitest";
import { findDifferences, reconciliationCounts } from "#app/reconciliation/reconciliation.ts";
import type { ContractToCompare, ItemToCompare } from "#app/reconciliation/reconciliation.ts";
import { itemStates } from "#app/orders/book/item-states.ts";
import type { ItemState } from "#app/orders/book/item-states.ts";

const item = (state: ItemState, contractId: string | null = null, offerReferenceId = "A"): ItemToCompare => ({
  state,
  contractId,
  offerReferenceId,
  reason: null,
  expiresOn: "2027-11-26",
});
const contract = (id: string, status = "active", offerReferenceId = "A"): ContractToCompare => ({
  id,
  offerReferenceId,
  status,
});
const differences = (items: ItemToCompare[], contracts: ContractToCompare[], today = "2027-11-26") =>
  findDifferences(items, contracts, today);
const kinds = (items: ItemToCompare[], contracts: ContractToCompare[]) =>
  differences(items, contracts).map(({ kind }) => kind);

describe("an item with a contract", () => {
  const expected: Partial<Record<ItemState, [active: string[], cancelled: string[], missing: string[]]>> = {
    active: [[], ["cancelled_at_insurer"], ["missing_at_insurer"]],
    attention: [[], ["cancelled_at_insurer"], ["missing_at_insurer"]],
    cancelled: [["active_at_insurer"], [], []],
  };

  it.each(itemStates)("that is %s is compared with the contract's state", (state) => {
    const [active, cancelled, missing] = expected[state] ?? [[], [], []];
    expect(kinds([item(state, "CT-1")], [contract("CT-1")])).toEqual(active);
    expect(kinds([item(state, "CT-1")], [contract("CT-1", "cancelled")])).toEqual(cancelled);
    expect(kinds([item(state, "CT-1")], [])).toEqual(missing);
  });

  it("is named with what is missing", () => {
    const one = item("active", "CT-1");
    expect(differences([one], [])).toEqual([{ kind: "missing_at_insurer", item: one, contractId: "CT-1" }]);
    expect(differences([one], [contract("CT-1", "cancelled")])).toEqual([
      { kind: "cancelled_at_insurer", item: one },
    ]);
    const over = item("cancelled", "CT-1");
    expect(differences([over], [contract("CT-1")])).toEqual([{ kind: "active_at_insurer", item: over }]);
  });

  it("is not compared after its last day, whatever the insurer calls it", () => {
    for (const contracts of [[], [contract("CT-1", "cancelled")], [contract("CT-1", "expired")]])
      expect(differences([item("active", "CT-1")], contracts, "2027-11-27")).toEqual([]);
  });
});

describe("a contract of no item", () => {
  it("may be that of an item that waits for one of its reference, each item once", () => {
    const [first, second] = [item("pending"), item("refused")];
    const contracts = [contract("CT-1"), contract("CT-2"), contract("CT-3")];
    expect(differences([first, second], contracts)).toEqual([
      { kind: "possible_match", item: first },
      { kind: "possible_match", item: second },
      { kind: "unmatched_contract", contract: contracts[2] },
    ]);
    const other = item("pending", null, "B");
    expect(differences([other, first], [contract("CT-1")])).toEqual([
      { kind: "possible_match", item: first },
    ]);
  });

  it("may be that of an item whose contract was unclear, unless it is unclear itself", () => {
    const unclear = { ...item("attention"), reason: "contract_unclear" } as const;
    expect(differences([unclear], [contract("CT-1")])).toEqual([{ kind: "possible_match", item: unclear }]);
    expect(kinds([unclear], [contract("CT-1", "rejected")])).toEqual([]);
    expect(kinds([unclear], [contract("CT-1", "rejected", "B")])).toEqual(["unmatched_contract"]);
  });

  it("belongs to no item where none waits for it", () => {
    expect(kinds([item("pending", null, "B")], [contract("CT-1")])).toEqual(["unmatched_contract"]);
    expect(kinds([], [contract("CT-1")])).toEqual(["unmatched_contract"]);
    for (const state of ["active", "attention", "cancelled", "cancelling"] as const)
      expect(kinds([item(state)], [contract("CT-1")])).toEqual(["unmatched_contract"]);
    // An item that has a contract waits for none, whatever its state.
    expect(kinds([item("pending", "CT-9")], [contract("CT-1")])).toEqual(["unmatched_contract"]);
  });

  it("is left alone where it is cancelled, and while a creation is under way", () => {
    expect(kinds([], [contract("CT-1", "cancelled")])).toEqual([]);
    for (const state of ["creating", "unknown"] as const)
      expect(kinds([item(state), item("active", "CT-2")], [contract("CT-1")])).toEqual([
        "missing_at_insurer",
      ]);
  });
});

it("a run's counts begin with nothing", () => {
  expect(reconciliationCounts.parse({ orders: 3 })).toEqual({
    orders: 3,
    missed: 0,
    behind: 0,
    resumed: 0,
    contracts: 0,
    different: 0,
    tasks: 0,
  });
});
