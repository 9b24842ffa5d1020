import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextStep } from "#app/plans/issuing/next-step.ts";
import type { OrderRecord, Step } from "#app/plans/issuing/next-step.ts";
import { statesBefore, transitions, unitStates } from "#app/plans/ledger/unit-states.ts";
import type { Cause, UnitState } from "#app/plans/ledger/unit-states.ts";

interface Piece {
  state: UnitState;
  wanted: boolean;
  contractId: string | null;
}

/** `active`, `active-` (a contract, no longer wanted), `attention+` (with a contract). */
function piece(text: string): Piece {
  const state = unitStates.find((name) => text.startsWith(name));
  if (!state) throw new Error(`${text} is no state`);
  const hasContract = ["active", "cancelling"].includes(state) || text.includes("+");
  return { state, wanted: !text.includes("-"), contractId: hasContract ? `CT-${text}` : null };
}

function order(facts: string, units: string, record: OrderRecord = "recorded") {
  return {
    paid: facts.includes("paid"),
    cancelled: facts.includes("cancelled"),
    record,
    units: units === "" ? [] : units.split(" ").map(piece),
  };
}

function inWords(step: Step<Piece>): string {
  if ("unit" in step) return `${step.do} ${step.unit.state}`;
  if ("units" in step) return `${step.do} ${step.units.map(({ state }) => state).join(" ")}`.trim();
  return step.do;
}

describe("the next step of an order", () => {
  const rows: [facts: string, units: string, record: OrderRecord, step: string][] = [
    // Not paid yet
    ["", "", "none", "nothing"],
    ["", "pending", "none", "nothing"],
    ["", "pending-", "none", "drop pending"],
    // Paid
    ["paid", "", "none", "record"],
    ["paid", "", "recorded", "nothing"],
    ["paid", "pending", "none", "create pending"],
    ["paid", "active pending", "none", "create pending"],
    ["paid", "active active", "none", "record"],
    ["paid", "active active", "recorded", "nothing"],
    ["paid", "refused active", "none", "record"],
    ["paid", "attention", "none", "record"],
    ["paid", "attention", "recorded", "nothing"],
    ["paid", "attention pending", "none", "create pending"],
    ["paid", "active", "refused", "nothing"],
    // A creation whose answer is open goes before everything else
    ["paid", "creating pending", "none", "abandon creating"],
    ["paid", "unknown pending", "none", "look unknown"],
    ["paid", "unknown unknown", "none", "look unknown unknown"],
    ["paid cancelled", "creating", "none", "abandon creating"],
    ["paid cancelled", "unknown active", "recorded", "look unknown active".replace(" active", "")],
    // Cancelled before anything was created
    ["cancelled", "", "none", "nothing"],
    ["cancelled", "pending", "none", "drop pending"],
    ["cancelled", "cancelled", "none", "nothing"],
    ["paid cancelled", "pending", "none", "drop pending"],
    ["paid cancelled", "attention", "none", "drop attention"],
    ["paid cancelled", "refused", "recorded", "drop refused"],
    ["paid cancelled", "cancelled", "none", "record"],
    ["paid cancelled", "cancelled", "recorded", "cancel"],
    ["paid cancelled", "cancelled", "cancelled", "nothing"],
    ["paid cancelled", "cancelled", "refused", "nothing"],
    // Cancelled while or after plans were created
    ["paid cancelled", "active pending", "none", "drop pending"],
    ["paid cancelled", "active cancelled", "none", "record"],
    ["paid cancelled", "active cancelled", "recorded", "cancel active"],
    ["paid cancelled", "active cancelling", "recorded", "cancel active cancelling"],
    ["paid cancelled", "attention+ active", "recorded", "cancel attention active"],
    ["paid cancelled", "active", "refused", "cancel active"],
    // Refunded or edited away: all of the insurance
    ["paid", "active-", "recorded", "cancel active"],
    ["paid", "active- active-", "recorded", "cancel active active"],
    ["paid", "active- pending-", "recorded", "drop pending"],
    ["paid", "active- cancelled-", "recorded", "cancel active"],
    ["paid", "active- cancelled", "recorded", "cancel active"],
    ["paid", "cancelling-", "recorded", "cancel cancelling"],
    ["paid", "pending-", "recorded", "drop pending"],
    ["paid", "cancelled-", "recorded", "nothing"],
    ["paid", "cancelled-", "cancelled", "nothing"],
    // Refunded or edited away: a part of it
    ["paid", "active active-", "recorded", "ask_to_cancel active"],
    ["paid", "active attention+-", "recorded", "nothing"],
    ["paid", "pending active-", "recorded", "create pending"],
    ["paid", "refused active-", "recorded", "ask_to_cancel active"],
    ["paid", "attention active-", "recorded", "ask_to_cancel active"],
    ["paid", "active cancelling-", "recorded", "ask_to_cancel cancelling"],
    ["paid", "active pending-", "recorded", "drop pending"],
    ["paid", "active cancelled-", "recorded", "nothing"],
    // The rest of the insurance goes, too, after one part was handed to the merchant
    ["paid", "active- attention+-", "recorded", "cancel active attention"],
    // The service was asked to cancel the order and would not: each contract is in the merchant's hands
    ["paid cancelled", "attention+", "cancelled", "nothing"],
    ["paid cancelled", "attention+ cancelled", "cancelled", "nothing"],
    ["paid", "attention+- attention+-", "cancelled", "nothing"],
    ["paid cancelled", "attention+ cancelling", "cancelled", "cancel attention cancelling"],
    ["paid cancelled", "attention+", "recorded", "cancel attention"],
    // An edit adds a plan to an order whose insurance had gone
    ["paid", "cancelled- pending", "cancelled", "create pending"],
  ];
  for (const [facts, units, record, expected] of rows) {
    it(`${facts || "unpaid"}, [${units}], ${record} at the service: ${expected}`, () => {
      const found = order(facts, units, record);
      expect(inWords(nextStep(found))).toBe(expected);
    });
  }
});

describe("the table of transitions", () => {
  it("leads from birth to every state and from every state to the end", () => {
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

/** A service that keeps contracts, loses answers and refuses, and a worker that may be killed between any two steps. */
class Model {
  paid = true;
  cancelled = false;
  record: OrderRecord = "none";
  units: Piece[];
  contracts: { id: string; unit: number; active: boolean }[] = [];
  createdAfterCancellation = 0;

  constructor(count: number) {
    this.units = Array.from({ length: count }, () => ({ state: "pending", wanted: true, contractId: null }));
  }

  move(unit: Piece, cause: Cause, contractId = unit.contractId): void {
    expect(statesBefore(cause)).toContain(unit.state);
    unit.state = transitions[cause].to;
    unit.contractId = contractId;
  }

  create(unit: Piece): string {
    if (this.cancelled) this.createdAfterCancellation += 1;
    const id = `CT-${this.contracts.length}`;
    this.contracts.push({ id, unit: this.units.indexOf(unit), active: true });
    return id;
  }

  /** One step with what happens to its call; `die` ends the worker before the answer is written down. */
  step(luck: "well" | "lost" | "nothing done" | "die"): boolean {
    const step = nextStep(this);
    switch (step.do) {
      case "nothing":
        return false;
      case "abandon":
      case "drop":
        this.move(step.unit, step.do);
        return true;
      case "create": {
        this.move(step.unit, "ask");
        if (luck === "nothing done") return (this.move(step.unit, "put_off"), true);
        const id = this.create(step.unit);
        if (luck === "well") this.move(step.unit, "created", id);
        if (luck === "lost") this.move(step.unit, "lose_answer");
        return true;
      }
      case "look": {
        const claimed = this.units.map(({ contractId }) => contractId);
        const unclaimed = this.contracts.filter(({ id }) => !claimed.includes(id));
        for (const unit of step.units) {
          const plan = unclaimed.shift();
          if (plan) this.move(unit, plan.active ? "find" : "found_cancelled", plan.id);
          else this.move(unit, "miss");
        }
        return true;
      }
      case "record":
        if (luck === "well") this.record = "recorded";
        return true;
      case "cancel":
        for (const unit of step.units) if (unit.state !== "cancelling") this.move(unit, "cancel");
        if (luck === "nothing done") return true;
        for (const contract of this.contracts) contract.active = false;
        if (luck !== "well") return true;
        for (const unit of step.units) this.move(unit, "cancelled");
        this.record = "cancelled";
        return true;
      case "ask_to_cancel": {
        const contract = this.contracts.find(({ id }) => id === step.unit.contractId);
        this.move(step.unit, contract?.active === false ? "found_cancelled" : "hand_over");
        return true;
      }
    }
  }
}

const luck = fc.constantFrom("well", "lost", "nothing done", "die");
const event = fc.oneof(
  fc.record({ kind: fc.constant("step" as const), luck }),
  fc.record({ kind: fc.constant("cancel" as const) }),
  fc.record({ kind: fc.constant("refund" as const), unit: fc.nat(3) }),
);

describe("any course of events", () => {
  it("ends with one active contract per wanted unit, none after a cancellation, and none without a unit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(event, { maxLength: 40 }), (count, events) => {
        const model = new Model(count);
        for (const happening of events) {
          if (happening.kind === "cancel") model.cancelled = true;
          else if (happening.kind === "refund") {
            const unit = model.units[happening.unit];
            if (unit) unit.wanted = false;
          } else model.step(happening.luck);
        }
        for (let steps = 0; model.step("well"); steps++) expect(steps).toBeLessThan(50);

        expect(model.createdAfterCancellation).toBe(0);
        const active = model.contracts.filter((contract) => contract.active);
        const wanted = model.units.filter((unit) => unit.wanted && !model.cancelled);
        // What the service cannot cancel alone waits for the merchant, under its unit's name.
        const handedOver = model.units.filter(
          ({ state, contractId }) => state === "attention" && contractId !== null,
        );
        expect(active).toHaveLength(wanted.length + handedOver.length);
        expect(wanted.every(({ state }) => state === "active")).toBe(true);
        expect(new Set(active.map(({ id }) => id))).toEqual(
          new Set([...wanted, ...handedOver].map(({ contractId }) => contractId)),
        );
        if (wanted.length === 0) expect(handedOver).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});
