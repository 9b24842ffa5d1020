/** The admin's pages, found by their files, with ids of the seeded history (test/shop-history.ts). */
import { readdir } from "node:fs/promises";

export interface AdminPage {
  /** `app.orders.$orderId` */
  route: string;
  /** `/app/orders/5000099999` */
  path: string;
}

/** Ids in the history of a shop with `orders` orders. */
function ids(orders: number): Partial<Record<string, string>> {
  const iteration = orders - (orders % 1_000);
  return {
    orderId: String(5_000_000_000 + iteration - 9),
    quoteId: `quote-${iteration - 20}`,
    runId: "run-7",
  };
}

/** @throws Error if the history has no id for a route parameter */
export async function adminPages(orders: number): Promise<AdminPage[]> {
  const known = ids(orders);
  // A route in a folder of its own has a page; a route in a single file returns data.
  const entries = await readdir("app/routes", { withFileTypes: true });
  const routes = entries.filter((entry) => entry.isDirectory() && entry.name.startsWith("app."));
  return routes.map(({ name: route }) => {
    const segments = route.split(".").filter((segment) => !segment.startsWith("_"));
    const path = segments.map((segment) => {
      if (!segment.startsWith("$")) return segment;
      const id = known[segment.slice(1)];
      if (id === undefined) throw new Error(`The seeded history has no ${segment} for ${route}`);
      return id;
    });
    return { route, path: `/${path.join("/")}` };
  });
}
