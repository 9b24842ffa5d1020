import { createHash } from "node:crypto";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { expect, onTestFinished, test } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { applyMigrations, MigrationChangedError } from "#app/platform/migrations.server.ts";
import type { Sql } from "#app/platform/migrations.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";

async function emptyDatabase(): Promise<{ sql: Sql; folder: string }> {
  const pglite = await PGlite.create();
  const folder = await mkdtemp(join(tmpdir(), "migrations-"));
  await cp("prisma/migrations", folder, { recursive: true });
  onTestFinished(async () => {
    await pglite.close();
    await rm(folder, { recursive: true });
  });
  return {
    folder,
    sql: {
      exec: async (text) => {
        await pglite.exec(text);
      },
      query: async (text, values) => (await pglite.query(text, values)).rows,
    },
  };
}

test("every column of the schema exists after the migrations", async () => {
  const rows = await db.$queryRaw<{ table_name: string; column_name: string }[]>`
    SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'`;
  const columns = new Set(rows.map((row) => `${row.table_name}.${row.column_name}`));
  const fields = Object.entries(Prisma).flatMap(([name, value]) =>
    name.endsWith("ScalarFieldEnum")
      ? Object.values(value).map((field) => `${name.replace("ScalarFieldEnum", "")}.${String(field)}`)
      : [],
  );
  expect(fields.length).toBeGreaterThan(20);
  expect(fields.filter((field) => !columns.has(field))).toEqual([]);
});

test("migrations are recorded as Prisma records them, and once", async () => {
  const { sql, folder } = await emptyDatabase();
  await applyMigrations(sql, folder);
  await applyMigrations(sql, folder);
  const rows = await sql.query(
    "SELECT migration_name, checksum, applied_steps_count FROM _prisma_migrations ORDER BY 1",
  );
  expect(rows.length).toBeGreaterThan(1);
  const { readFile, readdir } = await import("node:fs/promises");
  const names = (await readdir(folder)).filter((name) => /^\d{14}_/.test(name)).sort();
  const expected = await Promise.all(
    names.map(async (name) => ({
      migration_name: name,
      checksum: createHash("sha256")
        .update(await readFile(join(folder, name, "migration.sql")))
        .digest("hex"),
      applied_steps_count: 1,
    })),
  );
  expect(rows).toEqual(expected);
});

test("a migration that fails leaves nothing behind, and the next start tries again", async () => {
  const { sql, folder } = await emptyDatabase();
  await cp(join(folder, "20261121060000_shopify"), join(folder, "20991231000000_broken"), {
    recursive: true,
  });
  await writeFile(
    join(folder, "20991231000000_broken", "migration.sql"),
    'CREATE TABLE "Half" (id TEXT); SELECT nonsense;',
  );
  await expect(applyMigrations(sql, folder)).rejects.toThrow("nonsense");
  expect(await sql.query("SELECT 1 FROM pg_tables WHERE tablename = 'Half'")).toEqual([]);
  await writeFile(join(folder, "20991231000000_broken", "migration.sql"), 'CREATE TABLE "Half" (id TEXT);');
  await applyMigrations(sql, folder);
  expect(await sql.query("SELECT 1 AS one FROM pg_tables WHERE tablename = 'Half'")).toEqual([{ one: 1 }]);
});

test("a migration changed after it was applied stops the start and is named", async () => {
  const { sql, folder } = await emptyDatabase();
  await applyMigrations(sql, folder);
  await writeFile(join(folder, "20261121060000_shopify", "migration.sql"), "SELECT 1;");
  await expect(applyMigrations(sql, folder)).rejects.toThrow(MigrationChangedError);
  await expect(applyMigrations(sql, folder)).rejects.toThrow("20261121060000_shopify");
});
