/** Cells: who is answered while a shop is moved, and the move itself, from this file's database to another one. */
import { sign } from "hono/jwt";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { CannotMoveError } from "#app/cells/cell-database.server.ts";
import { forgetMovedShop, moveShop, undoMove } from "#app/cells/move-shop.server.ts";
import type { Move, ReportStep } from "#app/cells/move-shop.server.ts";
import { jobQueue, sendJob, stopQueue } from "#app/jobs/queue.server.ts";
import { db } from "#app/platform/db.server.ts";
import { env } from "#app/platform/env.server.ts";
import type { Fence } from "#app/platform/fence.server.ts";
import { signPart } from "#app/platform/signed-part.server.ts";
import { startHourlyReconciliations } from "#app/plans/reconciliation/reconciliation.server.ts";
import { loader as account } from "#app/routes/account.orders.tsx";
import { loader as frame } from "#app/routes/app.tsx";
import { loader as quote } from "#app/routes/quotes.$shop.$link.tsx";
import { action as webhooks } from "#app/routes/webhooks.tsx";
import { loader as withdrawal } from "#app/routes/withdrawals.$shop.$link.tsx";
import { eventually } from "#test/eventually.ts";
import { connectShop } from "#test/install.ts";
import { newDatabase } from "#test/migrated.ts";
import { buy, insuredLines, openSellingShop, readUnitStates } from "#test/plans/selling-shop.ts";
import { answerOf } from "#test/routes/answer.ts";
import { databasePrint } from "#test/routes/database-print.ts";
import { doors, paramsOf, pathOf, proxyDoors } from "#test/routes/every-route.ts";
import type { Handler } from "#test/routes/every-route.ts";
import { signedQuery } from "#test/sandbox/shop/storefront/app-proxy.ts";
import {
  adminRequest,
  insurance,
  otherShop,
  secrets,
  sessionToken,
  shop,
  webhookRequest,
} from "#test/world.ts";

const domain = shop.shopDomain;
const sourceUrl = env.DATABASE_URL ?? "";
let orderId = "";

beforeAll(async () => {
  const selling = await openSellingShop();
  await connectShop(otherShop.shopDomain, insurance.stores.at(-1));
  const { phone, plan } = insuredLines(selling.references);
  const order = buy([phone, plan]);
  orderId = order.id;
  await eventually(async () => {
    const states = await readUnitStates(order);
    if (states.join() !== "active") throw new Error(`The plan is ${states.join()}`);
  });
  await selling.close();
});

function inCells(): void {
  env.CELL = "a";
  onTestFinished(() => {
    delete env.CELL;
  });
}

const setFence = (fence: Fence | null) =>
  db.$executeRaw`UPDATE "Merchant" SET fence = ${fence} WHERE shop = ${domain}`;

const customerToken = () => {
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    dest: domain,
    aud: secrets.apiKey,
    sub: "gid://shopify/Customer/1",
    exp: now + 60,
    nbf: now,
  };
  return sign({ ...claims, iat: now, jti: "1" }, secrets.apiSecret, "HS256");
};

describe("a shop with a fence is answered 503, and nothing is stored", () => {
  afterAll(() => setFence(null));

  interface Ask {
    name: string;
    handler: Handler;
    request: () => Request | Promise<Request>;
    params?: Record<string, string>;
  }
  const asks: Ask[] = [
    ...doors.map(({ name, id, kind, handler }) => {
      const params = Object.fromEntries(paramsOf(id).map((each) => [each, "1"]));
      const form = kind === "action" ? { form: {} } : {};
      return { name, handler, params, request: () => adminRequest(pathOf(id, params), form) };
    }),
    ...proxyDoors.map(({ name, id, kind, handler }) => ({
      name,
      handler,
      request: () => {
        const query = signedQuery(new URLSearchParams({ variants: "1" }), "/apps/parasol", {
          shopDomain: domain,
          apiSecret: secrets.apiSecret,
        });
        const sent = kind === "action" ? { method: "POST", body: JSON.stringify({ lines: [] }) } : {};
        return new Request(`http://app.test${pathOf(id)}?${query.toString()}`, sent);
      },
    })),
    {
      name: "a customer's account",
      handler: account,
      request: async () =>
        new Request("http://app.test/account/orders?ids=1", {
          headers: { authorization: `Bearer ${await customerToken()}`, origin: "https://x.test" },
        }),
    },
    ...[
      { name: "a quote's link", handler: quote, purpose: "quote links" as const },
      { name: "a withdrawal's link", handler: withdrawal, purpose: "withdrawal links" as const },
    ].map(({ name, handler, purpose }) => ({
      name,
      handler,
      params: { shop: domain, link: signPart(purpose, domain, "1") },
      request: () => new Request("http://app.test/link"),
    })),
    { name: "a webhook", handler: webhooks, request: () => webhookRequest("orders/paid", { id: 77 }) },
  ];

  test.each(["leaving", "moved", "arriving"] as const)("%s", async (fence) => {
    await setFence(fence);
    // The other shop's hour may come meanwhile.
    const before = await databasePrint(domain);
    for (const { name, handler, request, params } of asks) {
      const { status, headers } = await answerOf(handler, await request(), params);
      expect(`${name}: ${status ?? "data"}`).toBe(`${name}: 503`);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(await databasePrint(domain)).toEqual(before);
  });

  test("another shop of the cell is served meanwhile", async () => {
    await setFence("moved");
    const request = await adminRequest("/app", { domain: otherShop.shopDomain });
    expect((await answerOf(frame, request)).status).toBeNull();
  });

  test("where nothing of the shop is left, a member of its staff does not install it here again", async () => {
    await setFence("gone");
    const sessions = await db.session.findMany({ where: { shop: domain } });
    await db.session.deleteMany({ where: { shop: domain } });
    expect((await answerOf(frame, await adminRequest("/app"))).status).toBe(503);
    expect(await db.session.count({ where: { shop: domain } })).toBe(0);
    await db.session.createMany({ data: sessions });
  });

  test("a token that names it and is not signed is refused for that, and tells nothing of it", async () => {
    await setFence("moved");
    const before = await databasePrint(domain);
    const forged = await sessionToken(domain, "not the app's secret");
    expect((await answerOf(frame, await adminRequest("/app", { token: forged }))).status).toBe(401);
    expect(await databasePrint(domain)).toEqual(before);
  });

  test("scheduled work leaves it out", async () => {
    await setFence("moved");
    await startHourlyReconciliations();
    const runs = await db.reconciliationRun.findMany({ distinct: ["shop"] });
    expect(runs.map((run) => run.shop)).toEqual([otherShop.shopDomain]);
  });

  test("its jobs do not run", async () => {
    inCells();
    await setFence("leaving");
    await sendJob("storefront-settings", { shop: domain });
    const job = await eventually(async () => {
      const [found] = await (await jobQueue()).findJobs("storefront-settings", { data: { shop: domain } });
      if (found?.state !== "retry") throw new Error(`The job is ${found?.state ?? "gone"}`);
      return found;
    });
    expect(JSON.stringify(job.output)).toContain("ShopFencedError");
  });
});

test("a webhook of a shop that is in no cell's books is delivered again among cells, and is nothing where there is one", async () => {
  const send = async () => {
    const request = webhookRequest("orders/paid", { id: 1 }, { domain: "elsewhere.myshopify.com" });
    return (await webhooks({ request, params: {}, context: {} })).status;
  };
  expect(await send()).toBe(200);
  inCells();
  expect(await send()).toBe(503);
  expect(await db.inboxEvent.count({ where: { shop: "elsewhere.myshopify.com" } })).toBe(0);
});

const cellTables = z.array(
  z.object({ name: z.string(), columns: z.array(z.tuple([z.string(), z.string(), z.boolean()])) }),
);

/** Asks a cell's database. */
async function asking<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Every table with a shop column, and the type of each column that has no default. */
const tablesOf = (client: pg.Client) =>
  client
    .query(
      `SELECT c.table_name AS name, json_agg(json_build_array(c.column_name, c.udt_name,
          c.column_default IS NULL AND c.is_nullable = 'NO')) AS columns
        FROM information_schema.columns AS c WHERE c.table_schema = 'public'
        GROUP BY 1 HAVING bool_or(c.column_name = 'shop') ORDER BY 1`,
    )
    .then(({ rows }) => cellTables.parse(rows));

const invented: Record<string, string> = { int4: "1", int8: "1", bool: "true", json: "{}", jsonb: "{}" };
const inventedFor = (type: string) =>
  invented[type] ?? (type.startsWith("_") ? "{}" : /^(timestamp|date)/.test(type) ? "2026-01-01" : "x");

/** A row of the shop in each table that has none yet. */
async function fillTables(url: string): Promise<void> {
  await asking(url, async (client) => {
    for (const { name, columns } of await tablesOf(client)) {
      const { rowCount } = await client.query(`SELECT FROM "${name}" WHERE shop = $1 LIMIT 1`, [domain]);
      if (rowCount !== 0) continue;
      const given = columns
        .filter(([, , isNeeded]) => isNeeded)
        .map(([column, type]) => ({
          column: `"${column}"`,
          value: column === "shop" ? domain : column === "orderId" ? orderId : inventedFor(type),
        }));
      await client.query(
        `INSERT INTO "${name}" (${given.map(({ column }) => column).join(", ")})
          VALUES (${given.map((_, index) => `$${index + 1}`).join(", ")})`,
        given.map(({ value }) => value),
      );
    }
  });
}

/** Each table's rows of the shop, without numbers that the database gives; and its jobs that have not ended. */
function shopPrint(url: string): Promise<Record<string, string>> {
  return asking(url, async (client) => {
    const prints: Record<string, string> = {};
    const print = async (name: string, sql: string) => {
      const { rows } = await client.query<{ print: string }>(sql, [domain]);
      prints[name] = rows[0]?.print ?? "";
    };
    for (const { name } of await tablesOf(client)) {
      const without =
        { UnitHistory: "- 'id'", AttachmentChange: "- 'id'", Merchant: "- 'fence'" }[name] ?? "";
      await print(
        name,
        `SELECT count(*) || ' ' || md5(COALESCE(string_agg((to_jsonb(t) ${without})::text, ',' ORDER BY (to_jsonb(t) ${without})::text), '')) AS print
          FROM "${name}" AS t WHERE shop = $1`,
      );
    }
    await print(
      "jobs",
      `SELECT count(*) || ' ' || COALESCE(string_agg(name || ' ' || id || ' ' || priority || ' ' || data, ',' ORDER BY id), '') AS print
        FROM pgboss.job WHERE data->>'shop' = $1 AND state < 'active'`,
    );
    return prints;
  });
}

const fenceIn = (url: string) =>
  asking(url, async (client) => {
    const { rows } = await client.query<{ fence: string | null }>(
      `SELECT fence FROM "Merchant" WHERE shop = $1`,
      [domain],
    );
    return rows[0] ? (rows[0].fence ?? "here") : "unknown";
  });

describe("a move", () => {
  let move: Move;
  let original: Record<string, string>;
  const ignore: ReportStep = () => undefined;
  const killedAt = (step: string): ReportStep => {
    return (line) => {
      if (JSON.stringify(line).includes(step)) throw new Error(`killed at ${step}`);
    };
  };

  beforeAll(async () => {
    // The worker of this process is the source's: it goes, a queue stays.
    await stopQueue();
    const queue = await jobQueue();
    await queue.deleteAllJobs();
    await fillTables(sourceUrl);
    await sendJob("order-issuing", { shop: domain, orderId }, { singletonKey: `${domain}:${orderId}` });
    await sendJob("order-issuing", { shop: otherShop.shopDomain, orderId: "1" });
    original = await shopPrint(sourceUrl);
  });

  beforeEach(async () => {
    move = { shop: domain, sourceUrl, targetUrl: await newDatabase(), report: ignore, jobTimeoutMs: 0 };
  });

  test("every table says its shop, and has rows to be moved here", async () => {
    const { rows } = await asking(sourceUrl, (client) =>
      client.query<{ name: string }>(
        `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' EXCEPT
          SELECT table_name FROM information_schema.columns WHERE column_name = 'shop'`,
      ),
    );
    // Of the database itself: a restored backup concerns all its shops.
    expect(rows.map(({ name }) => name).toSorted()).toEqual(["Restore", "_prisma_migrations"]);
    expect(Object.entries(original).filter(([, print]) => print.startsWith("0 "))).toEqual([]);
  });

  test("that is undone leaves the shop here as it was, and nothing there", async () => {
    for (const step of ["leaving", '"Order"']) {
      await expect(moveShop({ ...move, report: killedAt(step) })).rejects.toThrow("killed");
      await undoMove(move);
      expect(await fenceIn(sourceUrl)).toBe("here");
      expect(await shopPrint(sourceUrl)).toEqual(original);
    }
    expect(await fenceIn(move.targetUrl)).toBe("gone");
    const left = Object.entries(await shopPrint(move.targetUrl)).filter(
      ([, print]) => !print.startsWith("0 "),
    );
    expect(left.map(([name]) => name)).toEqual(["Merchant"]);
    await expect(undoMove(move)).rejects.toThrow(CannotMoveError);
  });

  test("refuses what two cells could not read, and who moves the shop already", async () => {
    await expect(moveShop({ ...move, targetUrl: sourceUrl })).rejects.toThrow("being moved");
    await asking(sourceUrl, async (client) => {
      await client.query("SELECT pg_advisory_lock(hashtextextended($1, 54))", [domain]);
      await expect(moveShop(move)).rejects.toThrow("another process");
    });
    await asking(move.targetUrl, (client) =>
      client.query(
        `INSERT INTO "Merchant" (shop, "dataKeyId", "sealedDataKey", "updatedAt") VALUES ('x', 'k', 'other.a.b.c', now())`,
      ),
    );
    await expect(moveShop(move)).rejects.toThrow("ENCRYPTION_KEYS");
    await asking(move.targetUrl, (client) =>
      client.query(`DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_fence'`),
    );
    await expect(moveShop(move)).rejects.toThrow("versions");
    expect(await fenceIn(sourceUrl)).toBe("here");
    await asking(move.targetUrl, (client) =>
      client.query(`INSERT INTO "Merchant" (shop, "updatedAt") VALUES ($1, now())`, [domain]),
    );
    await expect(moveShop(move)).rejects.toThrow("too");
  });

  test("that is killed at any step goes on: all its rows and jobs are there, once, and none are lost", async () => {
    for (const step of ["closed", '"Order"', "opened"]) {
      await expect(moveShop({ ...move, report: killedAt(step) })).rejects.toThrow("killed");
      // Nobody but one serves it, whenever that is.
      expect(
        [await fenceIn(sourceUrl), await fenceIn(move.targetUrl)].filter((each) => each === "here").length,
      ).toBe(step === "opened" ? 1 : 0);
      if (step === "closed") {
        const late = db.order.updateMany({ where: { shop: domain }, data: { name: "#late" } });
        await expect(late).rejects.toThrow("moved to another cell");
        await db.merchantSettings.create({ data: { shop: otherShop.shopDomain, settings: {} } });
      }
    }
    await moveShop(move);
    await moveShop(move);
    expect(await fenceIn(sourceUrl)).toBe("moved");
    expect(await fenceIn(move.targetUrl)).toBe("here");
    expect(await shopPrint(move.targetUrl)).toEqual(original);
    await expect(undoMove(move)).rejects.toThrow(CannotMoveError);

    // Its copy goes when it is asked for, and what remains says that it is elsewhere.
    await expect(forgetMovedShop({ ...move, targetUrl: await newDatabase() })).rejects.toThrow(
      CannotMoveError,
    );
    await forgetMovedShop(move);
    const left = Object.entries(await shopPrint(sourceUrl)).filter(([, print]) => !print.startsWith("0 "));
    expect(left.map(([name]) => name)).toEqual(["Merchant"]);
    expect(await fenceIn(sourceUrl)).toBe("gone");
    const { rows } = await asking(sourceUrl, (client) =>
      client.query("SELECT FROM pg_trigger WHERE tgname = 'moved_shop'"),
    );
    expect(rows).toEqual([]);
    expect(await db.session.count({ where: { shop: otherShop.shopDomain } })).toBe(1);
    const others = await (
      await jobQueue()
    ).findJobs("order-issuing", { data: { shop: otherShop.shopDomain } });
    expect(others.map(({ state }) => state)).toEqual(["created"]);

    // And back.
    await moveShop({ ...move, sourceUrl: move.targetUrl, targetUrl: sourceUrl });
    expect(await shopPrint(sourceUrl)).toEqual(original);

    // The cell in between has an old copy: what a third one knows of the shop does not bring it back.
    const between = { ...move, sourceUrl: move.targetUrl, targetUrl: await newDatabase() };
    await expect(undoMove(between)).rejects.toThrow(CannotMoveError);
    await expect(moveShop(between)).rejects.toThrow(CannotMoveError);
    expect(await fenceIn(move.targetUrl)).toBe("moved");
  });

  test("that was killed between the two cells can be undone, also where the undoing is killed", async () => {
    await expect(moveShop({ ...move, report: killedAt("compared") })).rejects.toThrow("killed");
    // As it is between the last two steps: neither cell serves the shop.
    await setFence("moved");
    await undoMove(move);
    expect(await fenceIn(sourceUrl)).toBe("here");
    await setFence("closed");
    await undoMove(move);
    expect(await fenceIn(sourceUrl)).toBe("here");
    expect(await shopPrint(sourceUrl)).toEqual(original);
  });
});

test("a shop that another cell has is told so where the proxy leads it to the wrong one, and nothing of it is kept there", async () => {
  const strayed = otherShop.shopDomain;
  const open = async () => (await answerOf(frame, await adminRequest("/app", { domain: strayed }))).status;
  const leave = async () => {
    await db.session.deleteMany({ where: { shop: strayed } });
    await db.merchant.deleteMany({ where: { shop: strayed } });
  };
  inCells();
  env.CELL = "b";
  await leave();
  expect(await open()).toBeNull();
  // The database of another cell knows nothing of the shop.
  await leave();
  env.CELL = "a";
  const before = await databasePrint(strayed);
  expect(await open()).toBe(409);
  expect(await databasePrint(strayed)).toEqual(before);
  env.CELL = "b";
  expect(await open()).toBeNull();
  // Installed anew, it is whose it comes to.
  await leave();
  otherShop.uninstall();
  otherShop.install();
  env.CELL = "a";
  expect(await open()).toBeNull();
});
