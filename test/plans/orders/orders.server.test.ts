import { describe, expect, it } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { eventually } from "#test/eventually.ts";
import { cancelOrder } from "#test/sandbox/shop/orders.ts";
import { shop } from "#test/world.ts";
import { aSellingShop, buy, contractsOf, insuredLines, recordOf, unitStates } from "#test/plans/selling.ts";

const selling = aSellingShop();

describe("a paid order", () => {
  it("becomes a plan and a recorded order", async () => {
    const { phone, plan, reference } = insuredLines(selling.references);
    const order = buy([phone, plan]);
    await eventually(async () => expect(await unitStates(order)).toEqual(["active"]));
    expect(await contractsOf(order)).toMatchObject([
      { offer_reference_id: reference.reference_id, status: "active" },
    ]);
    await eventually(async () =>
      expect(await recordOf(order)).toMatchObject({
        status: "recorded",
        line_items: [{ reference_id: phone.variantId, insurance_offered: true, insurance_selected: true }],
      }),
    );
  });

  it("becomes one plan per insured piece", async () => {
    const { phone, plan } = insuredLines(selling.references, { quantity: 3 });
    const order = buy([phone, plan]);
    await eventually(async () => expect(await unitStates(order)).toEqual(["active", "active", "active"]));
    expect(await contractsOf(order)).toHaveLength(3);
  });

  it("without insurance is recorded, too", async () => {
    const { phone } = insuredLines(selling.references);
    const order = buy([{ ...phone, properties: [] }]);
    await eventually(async () =>
      expect((await recordOf(order))?.line_items).toMatchObject([
        { insurance_offered: true, insurance_selected: false },
      ]),
    );
    expect(await contractsOf(order)).toEqual([]);
  });

  it("that is cancelled ends with no plan in force", async () => {
    const { phone, plan } = insuredLines(selling.references, { quantity: 2 });
    const order = buy([phone, plan]);
    await eventually(async () => expect(await unitStates(order)).toEqual(["active", "active"]));
    cancelOrder(shop.state, order.id);
    await eventually(async () => expect(await unitStates(order)).toEqual(["cancelled", "cancelled"]));
    expect((await contractsOf(order)).map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
    expect(await recordOf(order)).toMatchObject({ status: "cancelled" });
  });

  it("keeps the history of each piece", async () => {
    const { phone, plan } = insuredLines(selling.references);
    const order = buy([phone, plan]);
    await eventually(async () => expect(await unitStates(order)).toEqual(["active"]));
    const history = await db.unitHistory.findMany({ where: { orderId: order.id }, orderBy: { id: "asc" } });
    expect(history.map(({ cause, after, attempt }) => [cause, after, attempt])).toEqual([
      ["paid_for", "pending", 0],
      ["send", "creating", 1],
      ["created", "active", 1],
    ]);
  });
});
