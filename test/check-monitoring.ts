/**
 * `npm run monitoring`, part of `npm run check`: Prometheus and Alertmanager with the operators' own files before a web
 * process and a worker that sell. Each expression of the dashboard has values, each rule is evaluated, no alert fires while
 * all is well, and one that does reaches whom it is for. Only addresses and times are changed in the files. Debian has both
 * programs (packages prometheus and prometheus-alertmanager); where they are not, that is said and does not fail.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { steadyPort } from "./cluster.ts";
import { becomesTrue, eventually } from "./eventually.ts";
import { seeded } from "./faults/random.ts";
import { Round } from "./faults/round.ts";
import { openHouse } from "./faults/stage.ts";
import { dashboardExpressions, prepareFiles } from "./monitoring/files.ts";
import { ask, empty, openPager } from "./monitoring/prometheus.ts";

const PROGRAMS = ["/usr/bin/prometheus", "/usr/bin/prometheus-alertmanager"];

const missing = PROGRAMS.filter((program) => !existsSync(program));
if (missing.length > 0) {
  process.stdout.write(
    `monitoring: SKIPPED, ${missing.join(" and ")} is not here (Debian: apt-get install prometheus prometheus-alertmanager)\n`,
  );
} else await check();

async function check(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "parasol-monitoring-"));
  const house = await openHouse();
  const round = new Round(house, { random: seeded(1), kind: "server", orders: 0, short: true });
  const children: ChildProcess[] = [];
  const pager = await openPager();
  try {
    const [webMetrics, workerMetrics, prometheusPort, alertmanagerPort] = await Promise.all([
      steadyPort(),
      steadyPort(),
      steadyPort(),
      steadyPort(),
    ]);
    const processes = [
      await round.web({ METRICS_PORT: String(webMetrics) }),
      await round.worker({ METRICS_PORT: String(workerMetrics) }),
    ];
    const files = await prepareFiles(folder, {
      targets: [webMetrics, workerMetrics].map((port) => `127.0.0.1:${port}`),
      alertmanager: `127.0.0.1:${alertmanagerPort}`,
      pager: pager.url,
    });
    const start = (program = "", ...flags: string[]) =>
      children.push(spawn(program, flags, { cwd: folder, stdio: "ignore" }));
    start(
      PROGRAMS[1],
      `--config.file=${files.alertmanager}`,
      `--storage.path=${folder}/silences`,
      `--web.listen-address=127.0.0.1:${alertmanagerPort}`,
      "--cluster.listen-address=",
    );
    start(
      PROGRAMS[0],
      `--config.file=${files.prometheus}`,
      `--storage.tsdb.path=${folder}/metrics`,
      `--web.listen-address=127.0.0.1:${prometheusPort}`,
    );
    const prometheus = ask(`http://127.0.0.1:${prometheusPort}/api/v1/`);
    await eventually(
      async () => (await prometheus.query("sum(up)"))[0] === "2",
      "both processes are scraped",
    );
    const expressions = await dashboardExpressions();
    // An increase is seen from the second look on: orders come until there is nothing left to see.
    await becomesTrue(
      async () => {
        round.sales.buy();
        return (await empty(prometheus, expressions)).length === 0;
      },
      60_000,
      1_000,
    );
    await eventually(() => round.isQuiet(), "the plans");
    report(
      "the dashboard",
      `${expressions.length} expressions have values`,
      await empty(prometheus, expressions),
    );
    const rules = await prometheus.rules();
    const unwell = rules
      .filter(({ health }) => health !== "ok")
      .map(({ name, lastError }) => `${name}: ${lastError}`);
    report("rules", `${rules.length} are evaluated`, unwell);
    const firing = rules.filter(({ state }) => state !== undefined && state !== "inactive");
    report(
      "alerts",
      "none while all is well",
      firing.map(({ name }) => name),
    );

    await withDeadLetter(round, () => reaches(pager, "ticket DeadLetters", "a dead letter"));
    await Promise.all(processes.map((each) => each.end()));
    // Before its first look Prometheus knew of no process, either.
    pager.told.length = 0;
    await reaches(pager, "page NoProcess", "the end of all processes");
  } finally {
    for (const child of children) {
      const gone = once(child, "exit");
      child.kill();
      await gone;
    }
    await round.end();
    await house.close();
    await pager.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param message the receiver and the alert */
async function reaches({ told }: { told: string[] }, message: string, what: string): Promise<void> {
  const isTold = await becomesTrue(() => told.includes(message), 90_000, 200);
  report(what, `is told: ${message}`, isTold ? [] : [`told were: ${told.join(", ")}`]);
}

function report(what: string, good: string, problems: string[]): void {
  process.stdout.write(`monitoring: ${what}: ${problems.length === 0 ? good : "FAILED"}\n`);
  for (const problem of problems) process.stdout.write(`  ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

/** A job that used up its retries, until `work` is over. */
async function withDeadLetter(round: Round, work: () => Promise<void>): Promise<void> {
  const write = (sql: string) => round.query((read) => read(sql));
  await write(`INSERT INTO pgboss.job (name, policy) VALUES ('dead-letter', 'standard')`);
  await work();
  await write(`DELETE FROM pgboss.job WHERE name = 'dead-letter'`);
}
