/** A running Prometheus, and whom Alertmanager tells. */
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { listen } from "#test/sandbox/listen.ts";

/** What Prometheus' API answers. */
export function ask(api: string) {
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

/** The expressions that Prometheus answers with nothing, or with what is no number. */
export async function empty(prometheus: ReturnType<typeof ask>, expressions: string[]): Promise<string[]> {
  const answers = await Promise.all(
    expressions.map(async (expression) => ({ expression, values: await prometheus.query(expression) })),
  );
  return answers
    .filter(({ values }) => values.length === 0 || values.every((value) => value === "NaN"))
    .map(({ expression }) => expression);
}

/** Receives what Alertmanager sends. `told` has the receiver and the alert of each message. */
export async function openPager() {
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
