/** The worker dies in the middle of a run, without a word. The next one finishes the work. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, it } from "vitest";
import { insurance, sessionToken, shop } from "#test/world.ts";
import { onSale, planProducts, service } from "./world.ts";

const folder = await mkdtemp(join(tmpdir(), "parasol-kill-"));
const [store] = insurance.stores;

async function startWorkerProcess(): Promise<ChildProcess> {
  const { DATABASE_URL: _inMemory, ...env } = process.env;
  const token = await sessionToken();
  const script = join(import.meta.dirname, "worker-process.ts");
  return spawn(
    process.execPath,
    [script, shop.shopDomain, token, store?.store_id ?? "", store?.token_test ?? ""],
    { env: { ...env, DATA_DIR: folder }, stdio: ["ignore", "pipe", "inherit"] },
  );
}

async function output(process: ChildProcess): Promise<unknown> {
  const said = process.stdout ? await text(process.stdout) : "";
  return JSON.parse(said.trim().split("\n").at(-1) ?? "null");
}

afterAll(() => rm(folder, { recursive: true, force: true }));

it("a killed run is taken up again, and ends with shop and catalogue equal, nothing done twice", async () => {
  // Slow enough to be killed between two products.
  shop.faults.latencyMs = 150;
  const first = await startWorkerProcess();
  await expect.poll(() => planProducts().length, { timeout: 60_000, interval: 10 }).toBeGreaterThan(0);
  first.kill("SIGKILL");
  await once(first, "exit");
  const done = planProducts().map(({ id, updatedAt }) => ({ id, updatedAt }));
  expect(done.length).toBeLessThan(3);
  expect([...shop.state.metafields.values()]).toEqual([]);

  shop.faults.latencyMs = 0;
  const second = await startWorkerProcess();
  expect(await output(second)).toEqual({ state: "done", attempts: 2, error: null });

  const { references } = await service.catalogue();
  const { products, compact } = onSale();
  expect(products.map((each) => each.split(" ").slice(0, 2).join(" "))).toEqual(
    references.map(({ reference_id: id, price }) => `${id} ${price}`).sort(),
  );
  expect(compact).toEqual(products);
  expect(planProducts()).toHaveLength(3);
  for (const { id, updatedAt } of done) expect(shop.state.products.get(id)?.updatedAt).toBe(updatedAt);
}, 120_000);
