/** The queries of Home, the statistics and the searches of a large shop. */
import { type Figure, median } from "../figure.ts";
import type pg from "pg";

const LOOKS = 9;
const GOAL_MS = 150;

export async function looks(client: pg.Client, shop: string): Promise<Figure[]> {
  const { attachmentOverview } = await import("#app/plans/attachment/overview.server.ts");
  const { homeSummary } = await import("#app/plans/attachment/overview.server.ts");
  const { recountChangedDays } = await import("#app/plans/attachment/daily-sums.server.ts");
  const { listOrders } = await import("#app/plans/orders/order-list.server.ts");
  const { orderFilter } = await import("#app/plans/orders/order-forms.ts");
  const { taskFilter } = await import("#app/plans/tasks/tasks.ts");
  const { listTasks } = await import("#app/plans/tasks/tasks.server.ts");
  const settings = { timezone: "Europe/Paris", currency: "EUR" };
  const range = { ...settings, environment: "test" as const, start: null, end: null };
  const today = new Date().toISOString().slice(0, 10);
  const page = { after: null, before: null };
  const merchant = { shop, timezone: settings.timezone, environment: "test" as const };
  const orders = (filter: Record<string, string>) => () =>
    listOrders(merchant, orderFilter.parse(filter), page, 50);
  const timed = async (work: () => Promise<unknown>) => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };

  const counting = await timed(() => recountChangedDays(shop, settings));
  // One order of a hundred changes, over all the years.
  await client.query(`UPDATE "Order" SET "paidAt" = now() WHERE shop = $1 AND "orderId"::bigint % 100 = 0`, [
    shop,
  ]);
  const again = await timed(() => recountChangedDays(shop, settings));
  // A shop that sells: something of today is uncounted.
  await client.query(
    `UPDATE "Order" SET "paidAt" = now() WHERE shop = $1 AND "purchasedAt" > now() - interval '10 minutes'`,
    [shop],
  );
  const figures: Figure[] = [
    {
      name: "the worker counts three years",
      value: counting / 1_000,
      unit: "s, once",
      goal: "",
      holds: null,
    },
    { name: "and again after 1% changed", value: again / 1_000, unit: "s, once", goal: "", holds: null },
  ];
  const requested: Record<string, () => Promise<unknown>> = {
    "Home's figures": () => homeSummary(shop, { ...settings, environment: "test" }, today),
    "statistics of all years": () => attachmentOverview(shop, range),
    "the first orders": orders({}),
    "orders with a plan that needs somebody": orders({ plans: "attention" }),
    "an order by its name": orders({ query: "#5000" }),
    "a name that no order has": orders({ query: "#no" }),
    "a customer's orders": orders({ query: "ana@example.com" }),
    "an order by its contract": orders({ query: "CT-5000" }),
    "tasks of an order": () =>
      listTasks(merchant, taskFilter.parse({ state: "closed", query: "#5000" }), page, 50),
  };
  for (const [name, ask] of Object.entries(requested)) {
    const times: number[] = [];
    for (let each = -2; each < LOOKS; each++) {
      const ms = await timed(ask);
      if (each >= 0) times.push(ms);
    }
    const ms = median(times);
    figures.push({ name, value: ms, unit: "ms, median", goal: `at most ${GOAL_MS}`, holds: ms <= GOAL_MS });
  }
  return figures;
}
