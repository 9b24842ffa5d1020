/** Starts metrics and traces of a process where the environment configures them. Their modules are loaded only then. */
import { env } from "#app/platform/env.server.ts";
import { processParts } from "#app/platform/process-parts.server.ts";

type Stop = () => Promise<void>;

/** To be called before the first job runs. */
export async function startOperations(): Promise<void> {
  await (processParts.operations ??= startAll());
}

async function startAll(): Promise<Stop[]> {
  const { METRICS_PORT: port, METRICS_HOST: host, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = env;
  const stops: Stop[] = [];
  if (endpoint !== undefined) {
    const { exportTraces } = await import("./trace-export.server.ts");
    stops.push(exportTraces(endpoint));
  }
  if (port !== undefined) {
    const { serveOperations } = await import("./operations-server.server.ts");
    const server = await serveOperations({ port, host });
    stops.push(() => server.close());
  }
  return stops;
}

export async function stopOperations(): Promise<void> {
  const stops = (await processParts.operations) ?? [];
  await Promise.all(stops.map((stop) => stop()));
}
