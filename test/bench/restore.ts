/**
 * The database's machine is lost under load and restored with PostgreSQL's commands as in docs/operations.md. The
 * restore uses a base backup and the log that another machine received before each commit was acknowledged. The part
 * allOfTheLog restores all of the log, partOfTheLog restores to an earlier moment, as if the last part were lost.
 * POSTGRES_BIN names the folder of the server's programs; BENCH_ORDERS sets the number of orders.
 */
import { execFile, spawn } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { connect, serverUrl, steadyPort } from "#test/cluster.ts";
import { becomesTrue } from "#test/eventually.ts";
import { seeded } from "#test/random.ts";
import { runProcess } from "#test/faults/processes.ts";
import { Iteration } from "#test/faults/iteration.ts";
import { groundOn, openTestApp } from "#test/faults/stage.ts";
import { figure, runParts } from "./figure.ts";
import type { Figure } from "./figure.ts";

const BIN = process.env["POSTGRES_BIN"] ?? "/usr/lib/postgresql/15/bin";
const ORDERS = Number(process.env["BENCH_ORDERS"] ?? 300);

export async function bench(): Promise<Figure[]> {
  return runParts({
    allOfTheLog: () => trial("all of the log"),
    partOfTheLog: () => trial("a part of the log"),
  });
}

async function trial(left: "all of the log" | "a part of the log"): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "parasol-restore-"));
  const port = await steadyPort();
  const at = (name: string) => join(folder, name);
  // PostgreSQL does not run as root.
  const asUser = userInfo().uid === 0 ? ["runuser", "-u", "postgres", "--"] : [];
  const commandOf = (name: string, args: string[]): [string, string[]] => {
    const [file = "", ...rest] = [...asUser, join(BIN, name), ...args];
    return [file, rest];
  };
  const run = (name: string, ...args: string[]) => promisify(execFile)(...commandOf(name, args));
  const serverFlags = `-p ${port} -k ${folder} -c max_connections=300`;
  const start = (data: string) =>
    run("pg_ctl", "-w", "-t", "120", "-D", data, "-l", at("server.log"), "-o", serverFlags, "start");
  const connection = ["-h", "127.0.0.1", "-p", String(port), "-U", "parasol"];

  await chmod(folder, 0o777);
  await run("initdb", "-D", at("data"), "-U", "parasol", "--auth=trust");
  await start(at("data"));
  await mkdir(at("log"));
  await chmod(at("log"), 0o777);
  const admin = await connect(serverUrl(port, "postgres"));
  await admin.query("SELECT pg_create_physical_replication_slot('backup')");
  const receiver = spawn(
    ...commandOf("pg_receivewal", [...connection, "--slot", "backup", "--synchronous", "-D", at("log")]),
    { env: { PATH: process.env["PATH"], NODE_ENV: "production", PGAPPNAME: "backup" } },
  );
  await admin.query("ALTER SYSTEM SET synchronous_standby_names = 'backup'");
  await admin.query("SELECT pg_reload_conf()");

  const testApp = await openTestApp(groundOn(admin, port));
  try {
    const iteration = new Iteration(testApp, {
      random: seeded(1),
      orders: ORDERS,
      short: true,
    });
    const before = await iteration.open(2);
    let sold = 0;
    const sell = async (count: number) => {
      for (let each = 0; each < count; each++) {
        const order = iteration.sales.buy(iteration.random.between(1, 2));
        if (iteration.random.next() < 0.1) iteration.sales.cancel(order);
        sold += 1;
        await wait(100);
      }
    };
    const selling = sell(ORDERS);
    await becomesTrue(() => sold > ORDERS / 4, 600_000);
    await run("pg_basebackup", ...connection, "-D", at("base"), "-X", "none", "-c", "fast");
    await becomesTrue(() => sold > ORDERS / 3, 600_000);
    const { rows } = await admin.query<{ now: string }>("SELECT now()::text AS now");
    const target =
      left === "all of the log"
        ? "recovery_target_timeline = 'latest'"
        : `recovery_target_time = '${rows[0]?.now ?? ""}'\nrecovery_target_action = 'promote'`;
    await becomesTrue(() => sold > (ORDERS * 3) / 4, 600_000);
    const insured = testApp.insurance.stores.flatMap(({ store_id }) =>
      testApp.insurance.plans("test", store_id),
    );

    // Only the log on the other machine survives.
    await admin.end();
    const lostAt = performance.now();
    await run("pg_ctl", "-D", at("data"), "-m", "immediate", "stop");
    receiver.kill("SIGTERM");
    await rm(at("data"), { recursive: true });
    await Promise.all([before.web, ...before.workers].map((each) => each.end("SIGKILL")));

    await cp(at("base"), at("data"), { recursive: true });
    for (const name of await readdir(at("log"))) {
      if (name.endsWith(".partial")) await rename(at(`log/${name}`), at(`log/${name.slice(0, -8)}`));
    }
    await writeFile(at("data/recovery.signal"), "");
    await writeFile(
      at("data/postgresql.auto.conf"),
      `restore_command = 'cp ${at("log")}/%f %p'\n${target}\n`,
    );
    if (asUser.length > 0) await promisify(execFile)("chown", ["-R", "postgres", at("data"), at("log")]);
    await chmod(at("data"), 0o700);
    await start(at("data"));
    const remembered = await iteration.query((read) =>
      read(`SELECT 1 FROM "InsuredItem" WHERE "contractId" IS NOT NULL`),
    );
    await runProcess("app/processes/operate.ts", {
      args: ["after-restore"],
      env: { ...testApp.env, ...(await iteration.database()) },
    });
    await iteration.open(2);
    const restoredAt = performance.now();

    await selling;
    await iteration.settle(300_000);
    await iteration.runHourlyJob(300_000);
    await iteration.settle(300_000);
    const verdict = await iteration.end();
    for (const each of iteration.wrong) console.error(each);
    const { expected, found, lost, doubled } = verdict;
    // The webhooks acknowledged in the lost part are not in the database, but the shop and the insurer have their
    // orders.
    const isToBeExpected = (finding: string) =>
      left === "a part of the log" && finding.endsWith("acknowledged and not kept");
    const wrong = iteration.wrong.filter((finding) => !isToBeExpected(finding));
    const forgotten = Math.max(0, insured.length - remembered.length);
    return [
      figure("contracts that the restored database did not know", forgotten, "contracts"),
      figure("contracts expected in the end", expected, "contracts"),
      figure("contracts found", found, "contracts", "as expected", found === expected),
      figure("lost", lost, "contracts", "0", lost === 0),
      figure("doubled", doubled, "contracts", "0", doubled === 0),
      figure("otherwise wrong", wrong.length, "findings", "0", wrong.length === 0),
      figure("from the loss to the app's start (RTO)", (restoredAt - lostAt) / 1_000, "s"),
    ].map((each) => ({ ...each, name: `${left}: ${each.name}` }));
  } finally {
    receiver.kill("SIGKILL");
    await run("pg_ctl", "-D", at("data"), "-m", "immediate", "stop").catch(() => undefined);
    await testApp.close();
    await rm(folder, { recursive: true, force: true });
  }
}
