import { describe, expect, it } from "vitest";
import { staff } from "#app/audit/actor.ts";
import { runTaskAction } from "#app/orders/tasks/task-actions.server.ts";
import { db } from "#app/platform/db.server.ts";
import { eventually } from "#test/eventually.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, shop } from "#test/world.ts";
import {
  listContracts,
  listEvents,
  listOpenTaskKinds,
  readItemStates,
  setUpSellingShop,
} from "#test/orders/selling-shop.ts";

const selling = setUpSellingShop();
const where = { shop: shop.shopDomain, kind: "status_word", closedAt: null };

/** A paid order whose contract the insurer calls by this word, in its answer and in its list. */
async function buyWith(word: string): Promise<Order> {
  const days = { activation_date: "2026-11-24", expiration_date: "2028-11-24" };
  const answer = { contract_id: "CT-WORD", status: word, ...days };
  insurance.faults.add({ operation: "plans.create", kind: "json", answer });
  const release = insurance.faults.hold("plans.list");
  const order = selling.buyInsured();
  await eventually(async () => expect(await listContracts(order)).toHaveLength(1));
  for (const plan of insurance.plans()) if (plan.order_reference_id === order.id) plan.status = word;
  release();
  await eventually(async () => expect(await readItemStates(order)).toEqual(["active"]));
  return order;
}

describe("a contract whose status is a word that is not known", () => {
  it("counts, and the merchant is asked once for the account; the answer decides for all orders", async () => {
    const orders = [await buyWith("in_force"), await buyWith("In force")];
    for (const order of orders) {
      expect(await listOpenTaskKinds(order)).toEqual([]);
      expect(await listContracts(order)).toHaveLength(1);
      expect(await listEvents(order, "contract")).toMatchObject([{ status: "listed" }]);
    }
    const [task, ...others] = await db.task.findMany({ where });
    expect(others).toEqual([]);
    expect(task).toMatchObject({ orderId: null, details: { environment: "test", word: "in_force" } });
    expect(await runTaskAction(shop.shopDomain, task?.id ?? "", "means_in_force", staff("1"))).toEqual({
      state: "done",
    });
    for (const order of orders)
      await eventually(async () =>
        expect((await listEvents(order, "contract")).at(-1)).toMatchObject({ status: "active" }),
      );
    const later = await buyWith("in_force");
    expect(await listEvents(later, "contract")).toMatchObject([{ status: "active" }]);
    expect(await db.task.count({ where })).toBe(0);
  });

  it("is a task of its order, with its premium, once the merchant has said that it is not in force", async () => {
    const order = await buyWith("signed");
    const task = await db.task.findFirstOrThrow({ where });
    await runTaskAction(shop.shopDomain, task.id, "means_not_in_force", staff("1"));
    await eventually(async () => expect(await listOpenTaskKinds(order)).toEqual(["contract_doubtful"]));
    expect(await db.task.count({ where })).toBe(0);
  });
});
