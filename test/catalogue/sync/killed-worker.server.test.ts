/** The worker is killed during a run, and the next worker finishes it. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { eventually } from "#test/eventually.ts";
import { newDatabase } from "#test/migrated.ts";
import { onShopEvent } from "#test/sandbox/shop/events.ts";
import { insurance, sessionToken, shop } from "#test/world.ts";
import { onSale, planProducts, service } from "#test/catalogue/world.ts";

const databaseUrl = await newDatabase();
const [store] = insurance.stores;

async function startWorkerProcess(): Promise<ChildProcess> {
  const token = await sessionToken();
  const script = join(import.meta.dirname, "worker-process.ts");
  return spawn(
    process.execPath,
    [script, shop.shopDomain, token, store?.store_id ?? "", store?.token_test ?? ""],
    { env: { ...process.env, DATABASE_URL: databaseUrl }, stdio: ["ignore", "pipe", "inherit"] },
  );
}

async function output(process: ChildProcess): Promise<unknown> {
  const said = process.stdout ? await text(process.stdout) : "";
  return JSON.parse(said.trim().split("\n").at(-1) ?? "null");
}

it("a killed run is taken up again, and ends with shop and catalogue equal, nothing done twice", async () => {
  // Shopify stops answering after the first product: the worker is killed while it waits.
  onShopEvent(shop.state, ({ topic }) => {
    if (topic === "products/create") shop.faults.add({ operation: "admin", status: 503, times: 1_000 });
  });
  const first = await startWorkerProcess();
  // Before that the process reads the shop's products and the catalogue.
  await eventually(() => expect(planProducts().length).toBeGreaterThan(0), "a product", {
    withinMs: 480_000,
  });
  first.kill("SIGKILL");
  await once(first, "exit");
  const done = planProducts().map(({ id }) => id);
  expect(done).toHaveLength(1);
  const written = [...shop.state.metafields.values()];
  expect(written.filter(({ namespace }) => namespace === "catalogue")).toEqual([]);

  const updated: string[] = [];
  onShopEvent(shop.state, (event) => {
    shop.faults.clear();
    if (event.topic === "products/update") updated.push(event.product.id);
  });
  shop.faults.clear();
  const second = await startWorkerProcess();
  expect(await output(second)).toEqual({ state: "done", attempts: 2, error: null });

  const { references } = await service.catalogue();
  const { products, compact } = onSale();
  expect(products.map((each) => each.split(" ").slice(0, 2).join(" "))).toEqual(
    references.map(({ reference_id: id, price }) => `${id} ${price}`).sort(),
  );
  expect(compact).toEqual(products);
  // One for each price band.
  expect(planProducts()).toHaveLength(30);
  // Its variants' price bands are new, and its category's offers for checkout and thank-you page.
  for (const id of done) expect(updated.filter((each) => each === id)).toHaveLength(2);
});
