/** Insured products after the sale: exchanged for others, and shipped. */
import { setTimeout as wait } from "node:timers/promises";
import { becomesTrue } from "#test/eventually.ts";
import { fulfilLines } from "#test/sandbox/shop/fulfilments.ts";
import { fulfilledQuantity } from "#test/sandbox/shop/order-sums.ts";
import { findOrder } from "#test/sandbox/shop/orders.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { operations, outcomes } from "./break.ts";
import type { Iteration } from "./iteration.ts";
import type { Row } from "./row.ts";
import { grantScopes } from "./rows-quotes.ts";

const lineId = (order: Order, index: number): string => order.lines[index]?.id ?? "";

/** The number of open tasks about old contracts of exchanged products. */
async function countMoved(iteration: Iteration): Promise<number> {
  const rows = await iteration.query((read) =>
    read(`SELECT 1 FROM "Task" WHERE kind = 'manual_cancellation' AND "closedAt" IS NULL`),
  );
  return rows.length;
}

export const goodsRows: Row[] = [
  {
    row: 16,
    name: "insured goods exchanged while the insurer and workers fail: the cover moves once, and staff end the old contract",
    full: 60,
    short: 4,
    async run(iteration) {
      const [{ webhooks }] = iteration.testApp.shops;
      await iteration.open(1);
      webhooks.behaviour.duplicates = 1;
      let victim = await iteration.worker();
      for (let each = 0; each < iteration.orders; each++) {
        iteration.testApp.insurance.faults.add({
          operation: iteration.random.pick(operations),
          ...iteration.random.pick(outcomes),
        });
        const order = iteration.sales.buy();
        if (!(await iteration.sales.insured(order))) iteration.wrong.push(`${order.name} was not insured`);
        iteration.sales.exchange(order);
        await wait(iteration.random.between(0, 60));
        victim.child.kill("SIGKILL");
        await victim.end();
        victim = await iteration.worker();
      }
      iteration.testApp.insurance.faults.clear();
      const isMoved = async () => (await countMoved(iteration)) === iteration.orders;
      if (!(await becomesTrue(isMoved)))
        iteration.wrong.push(
          `the cover of ${await countMoved(iteration)} of ${iteration.orders} orders moved`,
        );
    },
  },
  {
    row: 17,
    name: "goods sent while workers are killed: each plan line is fulfilled with them, once",
    full: 60,
    short: 4,
    async run(iteration) {
      const [{ state }] = iteration.testApp.shops;
      await iteration.open(1);
      await grantScopes(iteration);
      let victim = await iteration.worker();
      const sold: Order[] = [];
      for (let each = 0; each < iteration.orders; each++) {
        const order = iteration.sales.buy(2);
        if (!(await iteration.sales.insured(order))) iteration.wrong.push(`${order.name} was not insured`);
        if (fulfilledQuantity(order, lineId(order, 1)) > 0)
          iteration.wrong.push(`a plan of ${order.name} was fulfilled before its product`);
        fulfilLines(state, order.id, [
          { lineId: lineId(order, 0), quantity: iteration.random.between(1, 2) },
        ]);
        sold.push(order);
        await wait(iteration.random.between(0, 60));
        victim.child.kill("SIGKILL");
        await victim.end();
        victim = await iteration.worker();
      }
      const differing = () =>
        sold
          .map(({ id }) => findOrder(state, id))
          .filter(
            (order) =>
              fulfilledQuantity(order, lineId(order, 1)) !== fulfilledQuantity(order, lineId(order, 0)),
          );
      if (!(await becomesTrue(() => differing().length === 0)))
        iteration.wrong.push(`${differing().length} orders have other plans fulfilled than products`);
    },
  },
];
