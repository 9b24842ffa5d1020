/** The number of statements does not grow with the items that a person has to check. */
import { expect, test, vi } from "vitest";
import { buildLedger } from "#app/orders/book/sale-check.ts";
import { taskDetails } from "#app/orders/tasks/tasks.ts";
import { catalogue, plan, product, shopOrder } from "#test/orders/samples.ts";
import { recording, statementsOf } from "#test/routes/statements.ts";

vi.mock("@prisma/adapter-pg", async (original) => recording(await original()));
const { db } = await import("#app/platform/db.server.ts");
const { upsertOrder } = await import("#app/orders/ledger/ledger.server.ts");

await db.merchant.create({ data: { shop: "one.myshopify.com" } });

/** Nothing was left to pay for any item. */
async function storeOrder(id: string, quantity: number): Promise<number> {
  const amounts = [{ currency: "EUR", unitPriceMinor: 4_990, discountsMinor: 4_990 * quantity }] as const;
  const order = shopOrder(
    [product("1", 35_000, "p", { quantity }), plan("2", "p", { quantity, amounts: [...amounts] })],
    { id },
  );
  const statements = await statementsOf(() =>
    upsertOrder("one.myshopify.com", order, buildLedger(order, catalogue), "test", "delivered"),
  );
  const tasks = await db.task.findMany({ where: { orderId: id, kind: "check_plan" } });
  expect(tasks.map(({ details }) => taskDetails.check_plan.parse(details).items.length)).toEqual([quantity]);
  return statements.length;
}

test("a thousand plans of one order that do not fit are one task, in as many statements as one", async () => {
  // The first order reads the merchant's key.
  await storeOrder("0", 1);
  expect(await storeOrder("2", 1_000)).toBe(await storeOrder("1", 1));
});
