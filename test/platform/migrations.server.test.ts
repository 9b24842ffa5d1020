import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { db } from "#app/platform/db.server.ts";
import { migrateDatabase, openDatabase } from "#app/platform/database.server.ts";
import {
  applyMigrations,
  MigrationChangedError,
  MigrationFailedError,
  MigrationsMissingError,
  type Sql,
} from "#app/platform/migrations.server.ts";
import { newDatabase } from "#test/migrated.ts";

const COLUMN_TYPES: Record<string, string> = {
  String: "text",
  Int: "int4",
  BigInt: "int8",
  Boolean: "bool",
  Json: "jsonb",
  Bytes: "bytea",
  "DateTime @db.Timestamptz(3)": "timestamptz",
  "DateTime @db.Date": "date",
};

/** The columns and keys that prisma/*.prisma declares, one per line. */
async function declaredSchema(): Promise<{ columns: string[]; keys: string[] }> {
  const files = (await readdir("prisma")).filter((name) => name.endsWith(".prisma"));
  const text = (await Promise.all(files.map((name) => readFile(join("prisma", name), "utf8")))).join("\n");
  const columns: string[] = [];
  const keys: string[] = [];
  for (const [, model = "", body = ""] of text.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)) {
    const addKey = (kind: string, fields: string) => {
      const names = fields.split(",").map((field) => field.replace(/\(.*/, "").trim());
      keys.push(`${model}: ${kind} ${names.join(", ")}`);
    };
    for (const line of body.split("\n").map((each) => each.replace(/\/\/.*/, "").trim())) {
      const [, kind, fields] =
        /^@@(id|unique|index)\(\[(.*?)\]/.exec(line.replaceAll("(sort: Desc)", "")) ?? [];
      if (kind !== undefined && fields !== undefined) addKey(kind, fields);
      const [, field, type = "", list = "", optional = ""] = /^(\w+)\s+(\w+)(\[\])?(\?)?/.exec(line) ?? [];
      const native = /@db\.\S+/.exec(line)?.[0];
      const columnType = COLUMN_TYPES[native === undefined ? type : `${type} ${native}`];
      if (field === undefined || columnType === undefined) continue;
      if (/@id\b/.test(line)) addKey("id", field);
      // Prisma creates a list's column without NOT NULL, and a UUID in the client.
      const isNullable = list !== "" || optional !== "";
      const hasDefault = /@default\((?!uuid)/.test(line);
      columns.push(
        `${model}.${field} ${list === "" ? "" : "_"}${columnType}${isNullable ? "" : " NOT NULL"}${hasDefault ? " DEFAULT" : ""}`,
      );
    }
  }
  return { columns: columns.sort(), keys: keys.sort() };
}

test("the migrations create the columns and keys that the schema declares, and no others", async () => {
  const declared = await declaredSchema();
  expect(declared.columns.length).toBeGreaterThan(200);
  const columns = await db.$queryRaw<{ line: string }[]>`
    SELECT format('%s.%s %s%s%s', table_name, column_name, udt_name,
      CASE WHEN is_nullable = 'NO' THEN ' NOT NULL' END, CASE WHEN column_default IS NOT NULL THEN ' DEFAULT' END) AS line
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'`;
  expect(columns.map(({ line }) => line).sort()).toEqual(declared.columns);
  const indexes = await db.$queryRaw<{ line: string }[]>`
    SELECT format('%s: %s %s', indrelid::regclass::name,
      CASE WHEN indisprimary THEN 'id' WHEN indisunique THEN 'unique' ELSE 'index' END,
      (SELECT string_agg(attname, ', ' ORDER BY place) FROM unnest(indkey) WITH ORDINALITY AS k(attnum, place)
        JOIN pg_attribute AS a ON a.attrelid = indrelid AND a.attnum = k.attnum)) AS line
    FROM pg_index WHERE indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
      AND indrelid <> '_prisma_migrations'::regclass AND indpred IS NULL`;
  expect(indexes.map(({ line }) => line.replaceAll('"', "")).sort()).toEqual(declared.keys);
});

async function emptyDatabase(): Promise<{ sql: Sql; folder: string }> {
  const client = new pg.Client(await newDatabase());
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  return {
    folder: await copyMigrations({}),
    sql: {
      exec: async (text) => {
        await client.query(text);
      },
      query: async (text) => (await client.query<Record<string, unknown>>(text)).rows,
    },
  };
}

/** @returns a folder with this version's migrations and further ones */
async function copyMigrations(further: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "migrations-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp("prisma/migrations", folder, { recursive: true });
  for (const [name, text] of Object.entries(further)) await writeMigration(folder, name, text);
  return folder;
}

async function writeMigration(folder: string, name: string, text: string): Promise<void> {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, "migration.sql"), text);
}

test("migrations are recorded as Prisma records them, and once", async () => {
  const { sql, folder } = await emptyDatabase();
  const [name = ""] = await applyMigrations(sql, folder);
  expect(name).toMatch(/^\d{14}_init$/);
  expect(await applyMigrations(sql, folder)).toEqual([]);
  const rows = await sql.query(
    "SELECT migration_name, checksum, applied_steps_count FROM _prisma_migrations",
  );
  const file = await readFile(join(folder, name, "migration.sql"));
  const checksum = createHash("sha256").update(file).digest("hex");
  expect(rows).toEqual([{ migration_name: name, checksum, applied_steps_count: 1 }]);
});

const BROKEN = "20991231000000_broken";

test("a migration that fails is named and leaves nothing behind, and the next start tries again", async () => {
  const { sql, folder } = await emptyDatabase();
  await writeMigration(folder, BROKEN, 'CREATE TABLE "Half" (id TEXT); SELECT nonsense;');
  const failure = applyMigrations(sql, folder);
  await expect(failure).rejects.toThrow(MigrationFailedError);
  await expect(failure).rejects.toThrow(/20991231000000_broken.*nonsense/);
  expect(await sql.query("SELECT 1 FROM pg_tables WHERE tablename = 'Half'")).toEqual([]);
  await writeMigration(folder, BROKEN, 'CREATE TABLE "Half" (id TEXT);');
  expect(await applyMigrations(sql, folder)).toEqual([BROKEN]);
});

test("a migration changed after it was applied stops the start and is named", async () => {
  const { sql, folder } = await emptyDatabase();
  const [name = ""] = await applyMigrations(sql, folder);
  await writeMigration(folder, name, "SELECT 1;");
  const failure = applyMigrations(sql, folder);
  await expect(failure).rejects.toThrow(MigrationChangedError);
  await expect(failure).rejects.toThrow(name);
});

const NEXT = { "20991231000001_column": `ALTER TABLE "Merchant" ADD COLUMN extra TEXT NOT NULL DEFAULT ''` };

test("processes that migrate at the same time apply each migration once", async () => {
  const url = await newDatabase();
  const folder = await copyMigrations(NEXT);
  const applied = await Promise.all([1, 2, 3].map(() => migrateDatabase(url, folder)));
  expect(applied.flat()).toEqual(Object.keys(NEXT));
});

test("a process that does not migrate refuses a database that is older than itself, not one that is newer", async () => {
  const url = await newDatabase();
  await migrateDatabase(url, await copyMigrations(NEXT));
  const options = {
    directUrl: undefined,
    pool: 2,
    queuePool: 2,
    statementTimeoutSeconds: 5,
    lockTimeoutSeconds: 5,
    migrates: false,
  };
  await (await openDatabase(url, options)).close();
  const other = new pg.Client(url);
  await other.connect();
  onTestFinished(() => other.end());
  await other.query("DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_init'");
  await expect(openDatabase(url, options)).rejects.toThrow(MigrationsMissingError);
  await other.query("DROP TABLE _prisma_migrations");
  await expect(openDatabase(url, options)).rejects.toThrow(/lacks .*_init.* npm run operate -- migrate/);
});
