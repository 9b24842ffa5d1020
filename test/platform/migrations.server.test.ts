import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { migrateServer, openServer } from "#app/platform/database.server.ts";
import { MigrationNotRepeatableError } from "#app/platform/migration-files.server.ts";
import {
  applyMigrations,
  MigrationBlockedError,
  MigrationChangedError,
  MigrationsMissingError,
} from "#app/platform/migrations.server.ts";
import type { Sql } from "#app/platform/migrations.server.ts";
import { Prisma } from "#app/platform/prisma/client.ts";
import { newDatabase } from "#test/migrated.ts";

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
  await applyMigrations(sql, { folder });
  await applyMigrations(sql, { folder });
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
  await expect(applyMigrations(sql, { folder })).rejects.toThrow("nonsense");
  expect(await sql.query("SELECT 1 FROM pg_tables WHERE tablename = 'Half'")).toEqual([]);
  await writeFile(join(folder, "20991231000000_broken", "migration.sql"), 'CREATE TABLE "Half" (id TEXT);');
  await applyMigrations(sql, { folder });
  expect(await sql.query("SELECT 1 AS one FROM pg_tables WHERE tablename = 'Half'")).toEqual([{ one: 1 }]);
});

test("a migration changed after it was applied stops the start and is named", async () => {
  const { sql, folder } = await emptyDatabase();
  await applyMigrations(sql, { folder });
  await writeFile(join(folder, "20261121060000_shopify", "migration.sql"), "SELECT 1;");
  await expect(applyMigrations(sql, { folder })).rejects.toThrow(MigrationChangedError);
  await expect(applyMigrations(sql, { folder })).rejects.toThrow("20261121060000_shopify");
});

/** A database on the server as this version has it, a folder with further migrations, and a session of somebody else's. */
async function nextVersion(further: Record<string, string>) {
  const url = await newDatabase();
  const folder = await mkdtemp(join(tmpdir(), "migrations-"));
  await cp("prisma/migrations", folder, { recursive: true });
  for (const [name, text] of Object.entries(further)) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, "migration.sql"), text);
  }
  const other = new pg.Client({ connectionString: url, application_name: "somebody" });
  await other.connect();
  onTestFinished(async () => {
    await other.end();
    await rm(folder, { recursive: true });
  });
  const timeouts = { lockMs: 300, tries: 2, pauseMs: 1, idleMs: 10_000 };
  return { url, folder, other, migrate: () => migrateServer(url, { folder, timeouts }) };
}

const column = {
  "20991231000001_column": `ALTER TABLE "Merchant" ADD COLUMN extra TEXT NOT NULL DEFAULT ''`,
};

test("a migration that has to wait for a lock gives up, names who holds it, and is applied once that has ended", async () => {
  const { other, migrate } = await nextVersion(column);
  await other.query(`BEGIN; SELECT * FROM "Merchant"`);
  const { pid } = (await other.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0] ?? {};
  await expect(migrate()).rejects.toThrow(MigrationBlockedError);
  await expect(migrate()).rejects.toThrow(`process ${pid} of the server (somebody, idle in transaction`);
  // Nobody waits behind it any more.
  expect((await other.query("SELECT 1 FROM pg_locks WHERE NOT granted")).rowCount).toBe(0);
  await other.query("COMMIT");
  expect(await migrate()).toEqual(["20991231000001_column"]);
  expect(await migrate()).toEqual([]);
});

test("an index is made without holding up who writes, and anew where it was left unfinished", async () => {
  const { other, migrate } = await nextVersion({
    ...column,
    "20991231000002_index": `-- Makes nobody wait.\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "Extra_key" ON "Merchant" (extra);`,
  });
  await other.query(`INSERT INTO "Merchant" (shop, "updatedAt") VALUES ('one', now()), ('two', now())`);
  await expect(migrate()).rejects.toThrow("could not create unique index");
  const index = `SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('"Extra_key"')`;
  expect((await other.query(index)).rows).toEqual([{ indisvalid: false }]);
  await other.query(`DELETE FROM "Merchant" WHERE shop = 'two'`);
  expect(await migrate()).toEqual(["20991231000002_index"]);
  expect((await other.query(index)).rows).toEqual([{ indisvalid: true }]);
});

test("two that migrate at once take turns, and neither stops the other's index", async () => {
  const { migrate } = await nextVersion({
    ...column,
    "20991231000002_index": `CREATE INDEX CONCURRENTLY IF NOT EXISTS "Extra_key" ON "Merchant" (extra)`,
  });
  const applied = await Promise.all([migrate(), migrate(), migrate()]);
  expect(applied.flat()).toEqual(["20991231000001_column", "20991231000002_index"]);
});

test.each([
  `CREATE INDEX CONCURRENTLY "Extra_key" ON "Merchant" (shop)`,
  `CREATE INDEX CONCURRENTLY IF NOT EXISTS "Extra_key" ON "Merchant" (shop); SELECT 1`,
  `REINDEX INDEX CONCURRENTLY "Merchant_pkey"`,
])("what could not be run again is refused before anything is applied: %s", async (text) => {
  const { migrate } = await nextVersion({ ...column, "20991231000002_index": text });
  await expect(migrate()).rejects.toThrow(MigrationNotRepeatableError);
});

test("a process that does not migrate refuses a database that is older than itself, not one that is newer", async () => {
  const { url, other, migrate } = await nextVersion(column);
  await migrate();
  const options = {
    ...{ directUrl: undefined, pool: 2, queuePool: 2, statementTimeoutSeconds: 5, lockTimeoutSeconds: 5 },
    migrates: false,
  };
  await (await openServer(url, options)).close();
  await other.query("DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_waiting_since'");
  await expect(openServer(url, options)).rejects.toThrow(MigrationsMissingError);
  await expect(openServer(url, options)).rejects.toThrow("the migration 20261122095500_waiting_since");
  await other.query("DROP TABLE _prisma_migrations");
  await expect(openServer(url, options)).rejects.toThrow(
    /lacks \d+ migrations .* npm run operate -- migrate/,
  );
});

test("a contract that several quotes have stays with the first; the others are looked for again", async () => {
  const { other, migrate } = await nextVersion({});
  await other.query(`
    DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_one_quote_per_contract';
    DROP INDEX "OrderLead_contract";
    SET session_replication_role = replica`);
  const quotes = [
    ...[
      ["1", "C-1", "2026-11-20", null],
      ["2", "C-1", "2026-11-19", null],
      ["3", "C-1", "2026-11-21", "2026-11-18"],
    ],
    ...[
      ["4", "C-2", "2026-11-20", null],
      ["5", null, null, null],
      ["6", null, null, null],
    ],
  ];
  for (const [order, contract, soldAt, withdrawnAt] of quotes) {
    const state = contract === null ? "open" : "sold";
    await other.query(
      `INSERT INTO "OrderLead" (shop, "orderId", "lineId", "unitNumber", state, environment, "variantId", "productTitle",
        "priceMinor", currency, "categoryId", "delayHours", "linkId", "leadId", "contractId", "soldAt", "withdrawnAt")
      VALUES ('one', $1, '1', 1, $2, 'test', '1', 'Nova', 100, 'EUR', 'c', 24, $1, $1, $3, $4, $5)`,
      [order, state, contract, soldAt, withdrawnAt],
    );
    await other.query(
      `INSERT INTO "Lead" (shop, environment, "leadId", status, "purchasedOn", "expiresOn", "categoryId", "variantId",
        "productTitle", "priceMinor", currency, "chargedBy", offers)
      VALUES ('one', 'test', $1, $2, '2026-11-01', '2026-12-01', 'c', '1', 'Nova', 100, 'EUR', 'x', '[]')`,
      [order, contract === null ? "active" : "sold"],
    );
  }
  expect(await migrate()).toEqual([expect.stringMatching(/_one_quote_per_contract$/)]);
  const { rows } = await other.query({
    rowMode: "array",
    text: `SELECT l."orderId", l.state, l."contractId", l."soldAt" IS NOT NULL, lead.status FROM "OrderLead" AS l
      JOIN "Lead" AS lead USING (shop, environment, "leadId") ORDER BY 1`,
  });
  expect(rows).toEqual([
    ["1", "open", null, false, "active"],
    ["2", "sold", "C-1", true, "sold"],
    ["3", "withdrawn", null, false, "withdrawn"],
    ["4", "sold", "C-2", true, "sold"],
    ["5", "open", null, false, "active"],
    ["6", "open", null, false, "active"],
  ]);
});
