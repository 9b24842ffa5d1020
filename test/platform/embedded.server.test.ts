import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openEmbedded } from "#app/platform/embedded-database.server.ts";
import { copyMigratedDatabase } from "#test/migrated.ts";

async function folder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "parasol-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  await copyMigratedDatabase(dataDir);
  return dataDir;
}

test("a second process on the embedded folder refuses to start and names the first", async () => {
  const dataDir = await folder();
  const first = await openEmbedded({ url: undefined, dataDir });
  onTestFinished(() => first.close());
  const source = `
    const { lockFolder } = await import("#app/platform/embedded-database.server.ts");
    await lockFolder(${JSON.stringify(join(dataDir, "postgres"))}).then(() => console.log("OPENED"), (error) => console.log(error.message));
    process.exit(0);`;
  const second = spawn("node", ["--input-type=module-typescript", "-e", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  second.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await once(second, "close");
  expect(said).toContain(`in use by process ${process.pid}`);
  expect(said).not.toContain("OPENED");
});

test("what was written is there after the database was closed and opened again", async () => {
  const dataDir = await folder();
  const before = await openEmbedded({ url: undefined, dataDir });
  await before.prisma.merchant.create({ data: { shop: "a.myshopify.com", name: "A" } });
  await before.close();
  const after = await openEmbedded({ url: undefined, dataDir });
  onTestFinished(() => after.close());
  expect(await after.prisma.merchant.findMany({ select: { name: true } })).toEqual([{ name: "A" }]);
});

test("the embedded database takes at most 48 MB for buffers and the like, which are in memory from the start", async () => {
  const database = await openEmbedded({ url: undefined, dataDir: await folder() });
  onTestFinished(() => database.close());
  const [shared] = await database.prisma.$queryRaw<{ megabytes: number }[]>`
    SELECT (sum(allocated_size) / 1048576)::float8 AS megabytes FROM pg_shmem_allocations`;
  expect(shared?.megabytes).toBeLessThan(48);
});
