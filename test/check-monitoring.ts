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
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { steadyPort } from "./cluster.ts";
import { becomesTrue, eventually } from "./eventually.ts";
import { seeded } from "./faults/random.ts";
import { Round } from "./faults/round.ts";
import { openHouse } from "./faults/stage.ts";
import { listen } from "./sandbox/listen.ts";

const FILES = join(import.meta.dirname, "../docs/operations");
const PROGRAMS = ["/usr/bin/prometheus", "/usr/bin/prometheus-alertmanager"];
const ORDERS = 20;

const missing = PROGRAMS.filter((program) => !existsSync(program));
if (missing.length > 0) {
  process.stdout.write(
    `monitoring: SKIPPED, ${missing.join(" and ")} is not here (Debian: apt-get install prometheus prometheus-alertmanager)\n`,
  );
} else await check();

async function check(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "parasol-monitoring-"));
  const house = await openHouse();
  const round = new Round(house, { random: seeded(1), kind: "server", orders: ORDERS, short: true });
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
    for (let each = 0; each < ORDERS; each++) round.sales.buy();
    await eventually(() => round.isQuiet(), "the plans");

    const expressions = await dashboardExpressions();
    const isAnswered = async () => (await empty(prometheus, expressions)).length === 0;
    await becomesTrue(isAnswered, 60_000, 1_000);
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

/** Receives what Alertmanager sends. `told` has the receiver and the alert of each message. */
async function openPager() {
  const sent = z.object({
    receiver: z.string(),
    alerts: z.array(z.object({ status: z.string(), labels: z.object({ alertname: z.string() }) })),
  });
  const told: string[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { receiver, alerts } = sent.parse(body);
      told.push(...alerts.map(({ labels }) => `${receiver} ${labels.alertname}`));
      response.end();
    });
  });
  return { told, ...(await listen(server)) };
}

/** The operators' files with this machine's addresses, and times that can be waited for. */
async function prepareFiles(
  folder: string,
  addresses: { targets: string[]; alertmanager: string; pager: string },
): Promise<{ prometheus: string; alertmanager: string }> {
  const open = z.looseObject({});
  const read = async (file: string) => parse(await readFile(join(FILES, file), "utf8")) as unknown;
  const scrapes = z.looseObject({
    global: open,
    scrape_configs: z.tuple([z.looseObject({ job_name: z.string() })]),
  });
  const prometheus = scrapes.parse(await read("prometheus.yml"));
  const routing = z.looseObject({
    global: open,
    route: open,
    receivers: z.array(z.object({ name: z.string(), email_configs: z.array(z.unknown()) })),
  });
  const alertmanager = routing.parse(await read("alertmanager.yml"));
  const [{ job_name }] = prometheus.scrape_configs;
  const files = {
    "prometheus.yml": stringify({
      ...prometheus,
      global: { scrape_interval: "1s", evaluation_interval: "1s" },
      rule_files: [join(folder, "alerts.yml")],
      alerting: { alertmanagers: [{ static_configs: [{ targets: [addresses.alertmanager] }] }] },
      scrape_configs: [{ job_name, static_configs: [{ targets: addresses.targets }] }],
    }),
    "alerts.yml": (await readFile(join(FILES, "alerts.yml"), "utf8")).replaceAll(/ for: \d+m/g, " for: 1s"),
    "alertmanager.yml": stringify({
      ...alertmanager,
      global: {},
      route: { ...alertmanager.route, group_wait: "1s" },
      receivers: alertmanager.receivers.map(({ name }) => ({
        name,
        webhook_configs: [{ url: addresses.pager }],
      })),
    }),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return { prometheus: join(folder, "prometheus.yml"), alertmanager: join(folder, "alertmanager.yml") };
}

/** What Prometheus' API answers. */
function ask(api: string) {
  const get = async (path: string): Promise<unknown> => (await fetch(`${api}${path}`)).json();
  const values = z.object({
    status: z.literal("success"),
    data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }),
  });
  const rules = z.object({
    data: z.object({
      groups: z.array(
        z.object({
          rules: z.array(
            z.object({
              name: z.string(),
              health: z.string(),
              lastError: z.string().default(""),
              state: z.string().optional(),
            }),
          ),
        }),
      ),
    }),
  });
  return {
    /** @returns the values as Prometheus writes them, such as `NaN` and `+Inf` */
    query: async (expression: string): Promise<string[]> =>
      values
        .parse(await get(`query?query=${encodeURIComponent(expression)}`))
        .data.result.map(({ value: [, value] }) => value),
    rules: async () => rules.parse(await get("rules")).data.groups.flatMap((group) => group.rules),
  };
}

async function dashboardExpressions(): Promise<string[]> {
  const dashboard = z.object({
    panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) })),
  });
  const { panels } = dashboard.parse(JSON.parse(await readFile(join(FILES, "dashboard.json"), "utf8")));
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}

/** The expressions that Prometheus answers with nothing, or with what is no number. */
async function empty(prometheus: ReturnType<typeof ask>, expressions: string[]): Promise<string[]> {
  const answers = await Promise.all(
    expressions.map(async (expression) => ({ expression, values: await prometheus.query(expression) })),
  );
  return answers
    .filter(({ values }) => values.length === 0 || values.every((value) => value === "NaN"))
    .map(({ expression }) => expression);
}

/** A job that used up its retries, until `work` is over. */
async function withDeadLetter(round: Round, work: () => Promise<void>): Promise<void> {
  const write = (sql: string) => round.query((read) => read(sql));
  await write(`INSERT INTO pgboss.job (name, policy) VALUES ('dead-letter', 'standard')`);
  await work();
  await write(`DELETE FROM pgboss.job WHERE name = 'dead-letter'`);
}
