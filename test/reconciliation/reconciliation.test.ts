import { describe, expect, it } from "vitest";
import { findDifferences, reconciliationCounts } from "#app/reconciliation/reconciliation.ts";
import type { ContractToCompare, UnitToCompare } from "#app/reconciliation/reconciliation.ts";
import { unitStates } from "#app/orders/ledger/unit-states.ts";
import type { UnitState } from "#app/orders/ledger/unit-states.ts";

const unit = (state: UnitState, contractId: string | null = null, offerReferenceId = "A"): UnitToCompare => ({
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
const differences = (units: UnitToCompare[], contracts: ContractToCompare[], today = "2027-11-26") =>
  findDifferences(units, contracts, today);
const kinds = (units: UnitToCompare[], contracts: ContractToCompare[]) =>
  differences(units, contracts).map(({ kind }) => kind);

describe("a unit with a contract", () => {
  const expected: Partial<Record<UnitState, [active: string[], cancelled: string[], missing: string[]]>> = {
    active: [[], ["cancelled_at_service"], ["missing_at_service"]],
    attention: [[], ["cancelled_at_service"], ["missing_at_service"]],
    cancelled: [["active_at_service"], [], []],
  };

  it.each(unitStates)("that is %s is compared with the contract's state", (state) => {
    const [active, cancelled, missing] = expected[state] ?? [[], [], []];
    expect(kinds([unit(state, "CT-1")], [contract("CT-1")])).toEqual(active);
    expect(kinds([unit(state, "CT-1")], [contract("CT-1", "cancelled")])).toEqual(cancelled);
    expect(kinds([unit(state, "CT-1")], [])).toEqual(missing);
  });

  it("is named with what is missing", () => {
    const one = unit("active", "CT-1");
    expect(differences([one], [])).toEqual([{ kind: "missing_at_service", unit: one, contractId: "CT-1" }]);
    expect(differences([one], [contract("CT-1", "cancelled")])).toEqual([
      { kind: "cancelled_at_service", unit: one },
    ]);
    const over = unit("cancelled", "CT-1");
    expect(differences([over], [contract("CT-1")])).toEqual([{ kind: "active_at_service", unit: over }]);
  });

  it("is not compared after its last day, whatever the service calls it", () => {
    for (const contracts of [[], [contract("CT-1", "cancelled")], [contract("CT-1", "expired")]])
      expect(differences([unit("active", "CT-1")], contracts, "2027-11-27")).toEqual([]);
  });
});

describe("a contract of no unit", () => {
  it("may be that of a unit that waits for one of its reference, each unit once", () => {
    const [first, second] = [unit("pending"), unit("refused")];
    const contracts = [contract("CT-1"), contract("CT-2"), contract("CT-3")];
    expect(differences([first, second], contracts)).toEqual([
      { kind: "possible_match", unit: first },
      { kind: "possible_match", unit: second },
      { kind: "unmatched_contract", contract: contracts[2] },
    ]);
    const other = unit("pending", null, "B");
    expect(differences([other, first], [contract("CT-1")])).toEqual([
      { kind: "possible_match", unit: first },
    ]);
  });

  it("may be that of a unit whose contract was unclear, unless it is unclear itself", () => {
    const unclear = { ...unit("attention"), reason: "contract_unclear" } as const;
    expect(differences([unclear], [contract("CT-1")])).toEqual([{ kind: "possible_match", unit: unclear }]);
    expect(kinds([unclear], [contract("CT-1", "rejected")])).toEqual([]);
    expect(kinds([unclear], [contract("CT-1", "rejected", "B")])).toEqual(["unmatched_contract"]);
  });

  it("belongs to no unit where none waits for it", () => {
    expect(kinds([unit("pending", null, "B")], [contract("CT-1")])).toEqual(["unmatched_contract"]);
    expect(kinds([], [contract("CT-1")])).toEqual(["unmatched_contract"]);
    for (const state of ["active", "attention", "cancelled", "cancelling"] as const)
      expect(kinds([unit(state)], [contract("CT-1")])).toEqual(["unmatched_contract"]);
    // A unit that has a contract waits for none, whatever its state.
    expect(kinds([unit("pending", "CT-9")], [contract("CT-1")])).toEqual(["unmatched_contract"]);
  });

  it("is left alone where it is cancelled, and while a creation is under way", () => {
    expect(kinds([], [contract("CT-1", "cancelled")])).toEqual([]);
    for (const state of ["creating", "unknown"] as const)
      expect(kinds([unit(state), unit("active", "CT-2")], [contract("CT-1")])).toEqual([
        "missing_at_service",
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
