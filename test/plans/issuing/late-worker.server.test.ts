import { expect, test } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { transitionUnit, unitRow } from "#app/plans/ledger/units.server.ts";
import { eventually } from "#test/eventually.ts";
import {
  aSellingShop,
  breakService,
  buy,
  contractsOf,
  insuredLines,
  mendService,
  unitStates,
} from "#test/plans/selling.ts";

const selling = aSellingShop();

test("a worker that was stopped and comes back moves nothing that another has asked for since", async () => {
  // The first attempt never gets to the service, and its worker is not heard of any more.
  await breakService({ operation: "plans.create", kind: "reset_before" });
  await breakService({ operation: "plans.create", kind: "latency", ms: 5_000 });
  const { phone, plan } = insuredLines(selling.references);
  const order = buy([phone, plan]);
  // Another one has looked, and asks again.
  const asked = await eventually(async () => {
    const unit = unitRow.parse(await db.insuredUnit.findFirst({ where: { orderId: order.id } }));
    expect(unit).toMatchObject({ state: "creating", attempt: 2 });
    return unit;
  });
  const stopped = { ...asked, attempt: 1 };
  expect(await transitionUnit(stopped, "deferred", { note: "the claim on the order had ended" })).toBeNull();
  await eventually(async () => expect(await unitStates(order)).toEqual(["active"]));
  await mendService();
  expect(await contractsOf(order)).toHaveLength(1);
});
