/**
 * The installation of docs/operations/availability under orders, while its parts are killed one after another: a worker,
 * a web process, PgBouncer, HAProxy, and at last every process of the primary's node, which then comes back as the
 * standby. Needs Debian's packages (test/availability.ts). BENCH_RATE is orders a second, BENCH_RUNS how often all of it
 * is played.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openInstallation } from "#test/availability.ts";
import type { Installation } from "#test/availability.ts";
import { connect, serverUrl, steadyPort } from "#test/cluster.ts";
import { becomesTrue, eventually } from "#test/eventually.ts";
import { Iteration } from "#test/faults/iteration.ts";
import { seeded } from "#test/random.ts";
import { groundOn, openTestApp } from "#test/faults/stage.ts";
import type { TestApp } from "#test/faults/stage.ts";
import { figure } from "./figure.ts";
import type { Figure } from "./figure.ts";

const RATE = Number(process.env["BENCH_RATE"] ?? 50);
const RUNS = Number(process.env["BENCH_RUNS"] ?? 1);

/** Orders go on for as long after a part was killed and works again. */
const QUIET_MS = 5_000;

/** What a shop and a customer notice of a failure: the longest time without an answer, and without a new contract. */
interface Gap {
  intakeMs: number;
  planMs: number;
}

export async function bench(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (let run = 1; run <= RUNS; run++)
    for (const each of await trial(run))
      figures.push(RUNS === 1 ? each : { ...each, name: `${run}: ${each.name}` });
  return figures;
}

async function trial(seed: number): Promise<Figure[]> {
  const webPort = await steadyPort();
  const webPorts = [await steadyPort(), await steadyPort()] as const;
  const installation = await openInstallation(webPort, webPorts);
  const folder = await mkdtemp(join(tmpdir(), "parasol-failover-"));
  const admin = await connect(serverUrl(installation.directPort, "postgres"));
  const testApp = await openTestApp(groundOn(admin, installation.directPort, folder), { webPort });
  try {
    return await play(installation, testApp, webPorts, seed);
  } finally {
    await admin.end();
    await testApp.close();
    await installation.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function play(
  installation: Installation,
  testApp: TestApp,
  webPorts: readonly [number, number],
  seed: number,
): Promise<Figure[]> {
  const iteration = new Iteration(testApp, { random: seeded(seed), kind: "server", orders: 0, short: true });
  const { DATABASE_URL: direct = "" } = await iteration.database();
  const database = {
    DATABASE_URL: (await iteration.database(installation.statementsPort))["DATABASE_URL"] ?? "",
    DATABASE_DIRECT_URL: direct,
    DATABASE_POOL: "8",
    QUEUE_POOL: "3",
  };
  const webs = await Promise.all(webPorts.map((port) => iteration.web({ ...database, PORT: String(port) })));
  const workers = [await iteration.worker(database), await iteration.worker(database)];

  const closing = new AbortController();
  let sold = 0;
  const selling = (async () => {
    const started = performance.now();
    while (!closing.signal.aborted) {
      for (; sold < ((performance.now() - started) / 1_000) * RATE; sold += 1) iteration.sales.buy();
      await wait(10);
    }
  })();

  const answered = () =>
    iteration.sales
      .deliveries()
      .flatMap(({ attempts }) =>
        attempts.filter(({ status }) => status === 200).map(({ at, ms }) => Date.parse(at) + ms),
      );
  const created = () =>
    testApp.insurance.traffic.log
      .filter(({ operation, status }) => operation === "plans.create" && status === 201)
      .map(({ at }) => Date.parse(at));
  const longestGap = (from: number, times: number[]): number => {
    const since = [from, ...times.filter((at) => at > from).sort((x, y) => x - y), Date.now()];
    return Math.max(...since.slice(1).map((at, index) => at - (since[index] ?? at)));
  };
  const isFlowing = (from: number) => {
    const recent = Date.now() - 2_000;
    return [answered(), created()].every((times) => times.some((at) => at > from + 2_000 && at > recent));
  };
  /** Kills, waits until webhooks are answered and plans made again, and a little longer. */
  const measure = async (kill: () => Promise<unknown>): Promise<Gap> => {
    const from = Date.now();
    await kill();
    await becomesTrue(() => Date.now() - from > QUIET_MS && isFlowing(from), 120_000, 250);
    await wait(QUIET_MS);
    return { intakeMs: longestGap(from, answered()), planMs: longestGap(from, created()) };
  };

  await eventually(() => created().length > 0, "the first plan is made", { withinMs: 60_000 });
  await wait(QUIET_MS);
  const gaps: Record<string, Gap> = {
    worker: await measure(async () => workers[0]?.end("SIGKILL")),
    "web process": await measure(async () => webs[0]?.end("SIGKILL")),
    PgBouncer: await measure(() => installation.kill("pgbouncer")),
    HAProxy: await measure(() => installation.kill("haproxy")),
    "PostgreSQL alone": await measure(() => installation.kill("postgres")),
  };
  const standby = (await installation.primary()) === "a" ? "b" : "a";
  await eventually(() => installation.isSynchronousStandby(standby), "the standby has every commit", {
    withinMs: 120_000,
    everyMs: 500,
  });
  let lost = "";
  gaps["primary's node"] = await measure(async () => (lost = await installation.losePrimary()));
  const returned = Date.now();
  await installation.returnNode(lost);
  await eventually(() => installation.isSynchronousStandby(lost), "the lost node is the standby", {
    withinMs: 180_000,
    everyMs: 500,
  });
  const rejoinedMs = Date.now() - returned;
  await wait(QUIET_MS);
  closing.abort();
  await selling;
  await iteration.settle(300_000);
  const isUp = [...webs.slice(1), ...workers.slice(1)].every((each) => !each.gone());
  const { expected, found, lost: missing, doubled } = await iteration.end();
  for (const finding of iteration.wrong) console.error(finding);

  const seconds = (ms: number) => Math.round(ms / 100) / 10;
  return [
    ...Object.entries(gaps).flatMap(([what, { intakeMs, planMs }]) => {
      const [intake, plan] = what === "primary's node" ? [30, 45] : [null, null];
      const row = (name: string, ms: number, most: number | null) => {
        const goal = most === null ? "" : `at most ${most}`;
        const title = `${what} killed: longest time without ${name}`;
        return figure(title, seconds(ms), "s", goal, most === null ? null : ms <= most * 1_000);
      };
      return [row("an answered webhook", intakeMs, intake), row("a new plan", planMs, plan)];
    }),
    figure("the lost node returns, until it has every commit again", seconds(rejoinedMs), "s"),
    figure("orders sold", sold, "orders"),
    figure("contracts expected", expected, "contracts"),
    figure("contracts found", found, "contracts", "as expected", found === expected),
    figure("lost", missing, "contracts", "0", missing === 0),
    figure("doubled", doubled, "contracts", "0", doubled === 0),
    figure(
      "answered webhooks not stored, and other findings",
      iteration.wrong.length,
      "findings",
      "0",
      iteration.wrong.length === 0,
    ),
    figure("processes up that were not killed", isUp ? 2 : 0, "processes", "2", isUp),
  ];
}
