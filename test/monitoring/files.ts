/** The files of docs/operations as Prometheus and Alertmanager are started with here. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { z } from "zod";

const FILES = join(import.meta.dirname, "../../docs/operations");

/** The operators' files with this machine's addresses, and times that can be waited for. */
export async function prepareFiles(
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
      route: { ...alertmanager.route, group_wait: "1s", group_interval: "1s" },
      receivers: alertmanager.receivers.map(({ name }) => ({
        name,
        webhook_configs: [{ url: addresses.pager }],
      })),
    }),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return { prometheus: join(folder, "prometheus.yml"), alertmanager: join(folder, "alertmanager.yml") };
}

/** What the dashboard asks Prometheus. */
export async function dashboardExpressions(): Promise<string[]> {
  const dashboard = z.object({
    panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) })),
  });
  const { panels } = dashboard.parse(JSON.parse(await readFile(join(FILES, "dashboard.json"), "utf8")));
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}
