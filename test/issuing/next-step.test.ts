import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type FlowState,
  nextDueAt,
  nextStep,
  type OrderState,
  type Step,
  itemsToFulfil,
} from "#app/issuing/next-step.ts";
import type { SalesRecordStatus } from "#app/orders/sales-record.ts";
import {
  type Reason,
  sourceStates,
  type TransitionCause,
  transitions,
  type ItemState,
  itemStates,
} from "#app/orders/book/item-states.ts";

interface TestItem {
  lineId: string;
  itemNumber: number;
  replacesItem: number | null;
  state: ItemState;
  wanted: boolean;
  contractId: string | null;
  reason: Reason | null;
  fulfilledAt: Date | null;
  insuredLineId: string | null;
  insuredAt: Date | null;
  mailedAt: Date | null;
  changedAt: Date;
  flowState: FlowState | null;
}

/** `active`, `active!` (its line is fulfilled), `active@` (mailed), `active-` (a contract, no longer wanted), `attention+` (with a contract), `attention?` (unclear whether), `pending>` (the cover of the first item moved to it). */
function item(text: string, index = 0): TestItem {
  const state = itemStates.find((name) => text.startsWith(name));
  if (!state) throw new Error(`${text} is no state`);
  const hasContract = ["active", "cancelling"].includes(state) || text.includes("+");
  return {
    lineId: "plan",
    itemNumber: index + 1,
    replacesItem: text.includes(">") ? 1 : null,
    state,
    wanted: !text.includes("-"),
    contractId: hasContract ? `CT-${text}` : null,
    reason: text.includes("?") ? "contract_unclear" : null,
    fulfilledAt: text.includes("!") ? NOW : null,
    insuredLineId: "phone",
    insuredAt: hasContract ? NOW : null,
    mailedAt: text.includes("@") ? NOW : null,
    changedAt: NOW,
    flowState: null,
  };
}

const NOW = new Date("2026-11-24T10:00:00Z");
const HOUR_MS = 3_600_000;

/** An order in a shop that lets the app do nothing to it, without quotes. */
const elsewhere = {
  skips: [],
  fulfilsPlans: "never" as const,
  goods: [],
  showsCover: false,
  mailsContracts: false,
  isInstalled: false,
  soldQuotes: [],
  quotes: { exist: false, decideAt: null, searchAt: null },
  now: NOW,
};

function order(status: string, items: string, salesRecordStatus: SalesRecordStatus) {
  return {
    ...elsewhere,
    paid: status.includes("paid"),
    cancelled: status.includes("cancelled"),
    salesRecordStatus,
    items: items === "" ? [] : items.split(" ").map((each, index) => item(each, index)),
  };
}

function inWords(step: Step<TestItem>): string {
  if ("item" in step) return `${step.do} ${step.item.state}`;
  if ("items" in step) return `${step.do} ${step.items.map(({ state }) => state).join(" ")}`.trim();
  return step.do;
}

describe("the next step of an order", () => {
  const rows: [status: string, items: string, salesRecordStatus: SalesRecordStatus, step: string][] = [
    // Not paid yet
    ["", "", "none", "nothing"],
    ["", "pending", "none", "nothing"],
    ["", "pending-", "none", "withdraw pending"],
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
    // A test order where contracts are real
    ["paid", "attention", "test_order", "nothing"],
    ["paid", "", "test_order", "nothing"],
    ["paid cancelled", "cancelled", "test_order", "nothing"],
    // A creation whose outcome is unknown goes before everything else
    ["paid", "creating pending", "none", "mark_worker_lost creating"],
    ["paid", "unknown pending", "none", "look_up unknown"],
    ["paid", "unknown unknown", "none", "look_up unknown unknown"],
    ["paid cancelled", "creating", "none", "mark_worker_lost creating"],
    ["paid cancelled", "unknown active", "recorded", "look_up unknown"],
    // Cancelled before anything was created
    ["cancelled", "", "none", "nothing"],
    ["cancelled", "pending", "none", "withdraw pending"],
    ["cancelled", "cancelled", "none", "nothing"],
    ["paid cancelled", "pending", "none", "withdraw pending"],
    ["paid cancelled", "attention", "none", "withdraw attention"],
    ["paid cancelled", "refused", "recorded", "withdraw refused"],
    ["paid cancelled", "cancelled", "none", "record"],
    ["paid cancelled", "cancelled", "recorded", "cancel"],
    ["paid cancelled", "cancelled", "cancelled", "nothing"],
    ["paid cancelled", "cancelled", "refused", "nothing"],
    // Cancelled while or after plans were created
    ["paid cancelled", "active pending", "none", "withdraw pending"],
    ["paid cancelled", "active cancelled", "none", "record"],
    ["paid cancelled", "active cancelled", "recorded", "cancel active"],
    ["paid cancelled", "active cancelling", "recorded", "cancel active cancelling"],
    ["paid cancelled", "attention+ active", "recorded", "cancel attention active"],
    ["paid cancelled", "active", "refused", "cancel active"],
    // Refunded or removed by an edit: all of the insurance
    ["paid", "active-", "recorded", "cancel active"],
    ["paid", "active- active-", "recorded", "cancel active active"],
    ["paid", "active- pending-", "recorded", "withdraw pending"],
    ["paid", "active- cancelled-", "recorded", "cancel active"],
    ["paid", "active- cancelled", "recorded", "cancel active"],
    ["paid", "cancelling-", "recorded", "cancel cancelling"],
    ["paid", "pending-", "recorded", "withdraw pending"],
    ["paid", "cancelled-", "recorded", "nothing"],
    ["paid", "cancelled-", "cancelled", "nothing"],
    // Refunded or removed by an edit: a part of it
    ["paid", "active active-", "recorded", "request_manual_cancellation active"],
    ["paid", "active attention+-", "recorded", "nothing"],
    ["paid", "pending active-", "recorded", "create pending"],
    ["paid", "refused active-", "recorded", "request_manual_cancellation active"],
    ["paid", "attention active-", "recorded", "request_manual_cancellation active"],
    ["paid", "active cancelling-", "recorded", "request_manual_cancellation cancelling"],
    ["paid", "active pending-", "recorded", "withdraw pending"],
    ["paid", "active cancelled-", "recorded", "nothing"],
    // The rest of the insurance ends, too, after one part was left to the merchant
    ["paid", "active- attention+-", "recorded", "cancel active attention"],
    // The insurer refused to cancel the order: the merchant cancels each contract
    ["paid cancelled", "attention+", "cancelled", "nothing"],
    ["paid cancelled", "attention+ cancelled", "cancelled", "nothing"],
    ["paid", "attention+- attention+-", "cancelled", "nothing"],
    ["paid cancelled", "attention+ cancelling", "cancelled", "cancel attention cancelling"],
    ["paid cancelled", "attention+", "recorded", "cancel attention"],
    // The insurer did not say whether the contract is in force
    ["paid", "attention?", "recorded", "nothing"],
    ["paid", "attention? pending", "none", "create pending"],
    ["paid", "attention?-", "recorded", "recheck attention"],
    ["paid", "active attention?-", "recorded", "recheck attention"],
    ["paid cancelled", "attention? active", "recorded", "recheck attention"],
    // The cover of an exchanged product moves: its contract goes on until the replacement's is in force
    ["paid", "active- pending>", "recorded", "create pending"],
    ["paid", "unknown- pending>", "recorded", "look_up unknown"],
    ["paid", "active- unknown>", "recorded", "look_up unknown"],
    ["paid", "active- refused>", "recorded", "nothing"],
    ["paid", "active- attention>", "recorded", "nothing"],
    ["paid", "active- active>", "recorded", "request_manual_cancellation active"],
    ["paid", "attention+- active>", "recorded", "nothing"],
    ["paid", "active- cancelled>", "recorded", "cancel active"],
    ["paid", "pending- pending>", "recorded", "withdraw pending"],
    ["paid", "active- pending>-", "recorded", "withdraw pending"],
    ["paid cancelled", "active- active>", "recorded", "cancel active active"],
    // An edit adds a plan to an order whose insurance had ended
    ["paid", "cancelled- pending", "cancelled", "create pending"],
  ];
  for (const [status, items, salesRecordStatus, expected] of rows) {
    it(`${status || "unpaid"}, [${items}], sales record ${salesRecordStatus}: ${expected}`, () => {
      expect(inWords(nextStep(order(status, items, salesRecordStatus)))).toBe(expected);
    });
  }

  it("is not the sales record while that is deferred, but still a cancellation", () => {
    const deferred = { skips: ["record"] as const };
    expect(nextStep({ ...order("paid", "active", "none"), ...deferred }).do).toBe("nothing");
    expect(nextStep({ ...order("paid cancelled", "active", "none"), ...deferred }).do).toBe("cancel");
  });

  const shop = { fulfilsPlans: "at_once" as const, showsCover: true };
  const quoted = { exist: true, decideAt: null, searchAt: null };
  const undecided = (hours: number) => ({
    ...quoted,
    exist: false,
    decideAt: new Date(NOW.getTime() + hours * HOUR_MS),
  });
  type Shop = Partial<OrderState<TestItem>>;
  const shopRows: [what: string, items: string, salesRecordStatus: SalesRecordStatus, Shop, step: string][] =
    [
      ["contracts come before what the shop shows", "active pending", "none", shop, "create pending"],
      ["so does the sales record", "active", "none", shop, "record"],
      ["lines of contracts are fulfilled first", "active", "recorded", shop, "fulfil"],
      ["each once", "active!", "recorded", shop, "show_cover"],
      ["a line without a contract is not", "attention", "recorded", shop, "show_cover"],
      ["nor one that the merchant fulfils", "active", "recorded", { showsCover: true }, "show_cover"],
      ["an order that is not paid shows nothing yet", "pending", "none", { ...shop, paid: false }, "nothing"],
      ["an order without insurance shows nothing", "", "recorded", shop, "nothing"],
      ["unless its customer used a quote", "", "recorded", { ...shop, soldQuotes: [{}] }, "show_cover"],
      ["quotes come before the cover", "active!", "recorded", { ...shop, quotes: quoted }, "update_quotes"],
      ["and are taken off a shop that shows nothing", "", "recorded", { quotes: quoted }, "update_quotes"],
      ["they are decided when they are due", "", "recorded", { quotes: undecided(0) }, "update_quotes"],
      ["and not before", "", "recorded", { quotes: undecided(1) }, "nothing"],
      [
        "a paused account keeps nothing of the shop",
        "pending",
        "none",
        { ...shop, skips: ["insurer"] },
        "show_cover",
      ],
      ["nor does an unknown outcome", "unknown active", "none", { ...shop, skips: ["insurer"] }, "fulfil"],
      ["a busy shop waits with all of it", "active", "recorded", { ...shop, skips: ["shop"] }, "nothing"],
      ["what is done is left out", "active", "recorded", { ...shop, skips: ["fulfil"] }, "show_cover"],
      ["until all is", "active", "recorded", { ...shop, skips: ["fulfil", "show_cover"] }, "nothing"],
    ];
  it.each(shopRows)("%s: [%s]", (_what, items, salesRecordStatus, changes, expected) => {
    expect(inWords(nextStep({ ...order("paid", items, salesRecordStatus), ...changes }))).toBe(expected);
  });

  const at = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS);
  it.each([
    ["once all are created", "paid", "active active", "mail_contracts active active"],
    ["each once", "paid", "active@ active", "mail_contracts active"],
    ["not while one is being created elsewhere", "paid", "active unknown", "nothing"],
    ["not while one waits for its account", "paid", "active pending", "nothing"],
    ["not those that wait for a person", "paid", "active attention+", "mail_contracts active"],
    ["not those that end", "paid", "active-", "nothing"],
    ["not of a cancelled order", "paid cancelled", "active", "nothing"],
  ])("mails contracts %s: %s, [%s]", (_what, status, items, expected) => {
    const skips = ["insurer"] as const;
    const mailed = { ...order(status, items, "recorded"), skips, mailsContracts: true };
    expect(inWords(nextStep(mailed))).toBe(expected);
    expect(inWords(nextStep({ ...mailed, mailsContracts: false }))).toBe("nothing");
  });

  it("mails no contract of long ago, where mail was off then", () => {
    const mailed = { ...order("paid", "active", "recorded"), mailsContracts: true };
    expect(nextStep({ ...mailed, now: at(24 * 30 - 1) }).do).toBe("mail_contracts");
    expect(nextStep({ ...mailed, now: at(24 * 30) }).do).toBe("nothing");
  });

  it.each([
    ["a contract in force", "paid", "active", null, "start_flows active"],
    ["each state once", "paid", "active", "active", "nothing"],
    ["what a person has to settle", "paid", "attention refused", null, "start_flows attention refused"],
    ["that it is settled", "paid", "active", "attention", "start_flows active"],
    ["an ended contract", "paid cancelled", "cancelled+", "active", "start_flows cancelled"],
    ["nothing of one that never was", "paid cancelled", "cancelled", null, "nothing"],
    ["nothing of what is on its way", "paid", "pending unknown", null, "nothing"],
  ] as const)("tells workflows %s: %s, [%s], told %s", (_what, status, items, flowState, expected) => {
    const told = {
      ...order(status, items, status === "paid" ? "recorded" : "cancelled"),
      skips: ["insurer"] as const,
    };
    const state = { ...told, items: told.items.map((each) => ({ ...each, flowState })), isInstalled: true };
    expect(inWords(nextStep(state))).toBe(expected);
    expect(inWords(nextStep({ ...state, isInstalled: false }))).toBe("nothing");
    expect(inWords(nextStep({ ...state, now: at(24) }))).toBe("nothing");
  });

  const line = (lineId: string, fulfilledQuantity: number, requiresShipping = true) => ({
    lineId,
    fulfilledQuantity,
    requiresShipping,
  });
  it.each([
    ["nothing before a product is sent", [line("phone", 0)], ["phone", "phone"], []],
    ["as many as items of their product were sent", [line("phone", 1)], ["phone", "phone"], [0]],
    ["each with its own product", [line("phone", 0), line("camera", 1)], ["phone", "camera"], [1]],
    ["all where nothing is shipped", [line("phone", 0, false)], ["phone", "phone"], [0, 1]],
    ["none where another product is shipped", [line("game", 0, false), line("phone", 0)], ["game"], []],
    ["one of no known product once anything is sent", [line("phone", 1)], [null], [0]],
    ["one of no known product not before", [line("phone", 0)], [null], []],
  ])("with the goods are fulfilled: %s", (_what, goods, insured, expected) => {
    const items = insured.map((insuredLineId) => ({ ...item("active"), insuredLineId }));
    const due = itemsToFulfil({ fulfilsPlans: "with_goods", goods, items });
    expect(due.map((each) => items.indexOf(each))).toEqual(expected);
  });

  it("is due again later, at least once a day, the longer a line could not be fulfilled", () => {
    const held = { ...order("paid", "active", "recorded"), ...shop };
    const dueIn = (hours: number) => {
      const items = held.items.map((each) => ({ ...each, insuredAt: at(-hours) }));
      return ((nextDueAt({ ...held, items })?.getTime() ?? 0) - NOW.getTime()) / HOUR_MS;
    };
    expect([1, 100, 1_000].map(dueIn)).toEqual([1, 10, 24]);
  });

  const times: [what: string, items: string, Shop, Date | null][] = [
    ["never, where nothing is left", "active!", shop, null],
    ["in an hour, where a line could not be fulfilled", "active", shop, at(1)],
    ["never, where the merchant fulfils it", "active", {}, null],
    ["when its quotes are to be decided", "", { quotes: undecided(24) }, at(24)],
    ["when its quotes are to be searched for", "", { quotes: { ...quoted, searchAt: at(3) } }, at(3)],
    ["at the first of these", "active", { ...shop, quotes: undecided(24) }, at(1)],
  ];
  it.each(times)("is due again %s", (_what, items, changes, expected) => {
    expect(nextDueAt({ ...order("paid", items, "recorded"), ...changes })).toEqual(expected);
  });
});

type Luck = "well" | "lost" | "nothing done" | "die" | "unclear, done" | "unclear, nothing done";

/** An insurer that keeps contracts, loses responses and refuses, and a worker that may be killed between any two steps. */
class Model {
  readonly skips = [];
  readonly fulfilsPlans = "never";
  readonly goods = [];
  readonly showsCover = false;
  readonly mailsContracts = false;
  readonly isInstalled = false;
  readonly soldQuotes = [];
  readonly quotes = elsewhere.quotes;
  readonly now = NOW;
  paid = true;
  cancelled = false;
  salesRecordStatus: SalesRecordStatus = "none";
  items: TestItem[];
  contracts: { id: string; item: number; active: boolean }[] = [];
  createdAfterCancellation = 0;

  constructor(count: number) {
    this.items = Array.from({ length: count }, (_, index) => ({
      lineId: "plan",
      itemNumber: index + 1,
      replacesItem: null,
      state: "pending",
      wanted: true,
      contractId: null,
      reason: null,
      fulfilledAt: null,
      insuredLineId: "phone",
      insuredAt: null,
      mailedAt: null,
      changedAt: NOW,
      flowState: null,
    }));
  }

  move(item: TestItem, cause: TransitionCause, contractId = item.contractId): void {
    expect(sourceStates(cause)).toContain(item.state);
    item.state = transitions[cause].to;
    item.contractId = contractId;
    item.reason = null;
  }

  create(item: TestItem): string {
    if (this.cancelled) this.createdAfterCancellation += 1;
    const id = `CT-${this.contracts.length}`;
    this.contracts.push({ id, item: this.items.indexOf(item), active: true });
    return id;
  }

  /** One step with what happens to its call; `die` ends the worker before the response is stored. */
  step(luck: Luck): boolean {
    const step = nextStep(this);
    switch (step.do) {
      case "nothing":
      case "mail_contracts":
      case "start_flows":
      case "fulfil":
      case "update_quotes":
      case "show_cover":
        return false;
      case "mark_worker_lost":
        this.move(step.item, "worker_lost");
        return true;
      case "withdraw":
        this.move(step.item, "withdrawn");
        return true;
      case "create": {
        this.move(step.item, "send");
        if (luck === "nothing done") return (this.move(step.item, "deferred"), true);
        if (luck === "unclear, done") this.create(step.item);
        if (luck.startsWith("unclear")) {
          this.move(step.item, "doubted");
          step.item.reason = "contract_unclear";
          return true;
        }
        const id = this.create(step.item);
        if (luck === "well") this.move(step.item, "created", id);
        if (luck === "lost") this.move(step.item, "response_lost");
        return true;
      }
      case "look_up": {
        const assigned = this.items.map(({ contractId }) => contractId);
        const unassigned = this.contracts.filter(({ id }) => !assigned.includes(id));
        for (const item of step.items) {
          const plan = unassigned.shift();
          if (plan) this.move(item, plan.active ? "found" : "found_cancelled", plan.id);
          else if (item.reason === null || !item.wanted || this.cancelled) this.move(item, "not_found");
          else {
            this.move(item, "needs_attention");
            item.reason = "contract_unclear";
          }
        }
        return true;
      }
      case "recheck":
        this.move(step.item, "recheck");
        return true;
      case "record":
        if (luck === "well") this.salesRecordStatus = "recorded";
        return true;
      case "cancel":
        for (const item of step.items) if (item.state !== "cancelling") this.move(item, "cancel");
        if (luck === "nothing done") return true;
        for (const contract of this.contracts) contract.active = false;
        if (luck !== "well") return true;
        for (const item of step.items) this.move(item, "cancelled");
        this.salesRecordStatus = "cancelled";
        return true;
      case "request_manual_cancellation": {
        const contract = this.contracts.find(({ id }) => id === step.item.contractId);
        this.move(step.item, contract?.active === false ? "found_cancelled" : "needs_attention");
        return true;
      }
    }
  }
}

const luck = fc.constantFrom<Luck>(
  ...(["well", "lost", "nothing done", "die", "unclear, done", "unclear, nothing done"] as const),
);
const event = fc.oneof(
  fc.record({ kind: fc.constant("step" as const), luck }),
  fc.record({ kind: fc.constant("cancel" as const) }),
  fc.record({ kind: fc.constant("refund" as const), item: fc.nat(3) }),
  fc.record({ kind: fc.constant("retry" as const), item: fc.nat(3) }),
);

describe("any course of events", () => {
  it("ends with one active contract or a task per wanted item, none after a cancellation, and none without an item", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(event, { maxLength: 40 }), (count, events) => {
        const model = new Model(count);
        for (const happening of events) {
          if (happening.kind === "cancel") model.cancelled = true;
          else if (happening.kind === "refund") {
            const item = model.items[happening.item];
            if (item) item.wanted = false;
          } else if (happening.kind === "retry") {
            const item = model.items[happening.item];
            if (item?.reason === "contract_unclear" && item.state === "attention")
              model.move(item, "recheck");
          } else model.step(happening.luck);
        }
        for (let steps = 0; model.step("well"); steps++) expect(steps).toBeLessThan(50);

        expect(model.createdAfterCancellation).toBe(0);
        const active = model.contracts.filter((contract) => contract.active);
        const ofTasks = model.items.filter(({ reason }) => reason === "contract_unclear");
        expect(
          ofTasks.every(({ state, wanted }) => state === "attention" && wanted && !model.cancelled),
        ).toBe(true);
        const wanted = model.items.filter(
          (item) => item.wanted && !model.cancelled && !ofTasks.includes(item),
        );
        // What the insurer cannot cancel alone waits for the merchant, under its item's name.
        const handedOver = model.items.filter(
          ({ state, contractId }) => state === "attention" && contractId !== null,
        );
        expect(active).toHaveLength(wanted.length + handedOver.length);
        expect(wanted.every(({ state }) => state === "active")).toBe(true);
        expect(new Set(active.map(({ id }) => id))).toEqual(
          new Set([...wanted, ...handedOver].map(({ contractId }) => contractId)),
        );
        if (wanted.length === 0 && ofTasks.length === 0) expect(handedOver).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});
