/** What operators see of a process, where the environment asks for it. What it needs is not loaded otherwise. */
import { env } from "#app/platform/env.server.ts";
import type { OperationsServer } from "./operations-server.server.ts";

declare global {
  // See app/platform/db.server.ts: once a process.
  var parasolOperations: Promise<OperationsServer> | undefined;
}

export async function startOperations(): Promise<void> {
  const { METRICS_PORT: port, METRICS_HOST: host } = env;
  if (port === undefined) return;
  const { serveOperations } = await import("./operations-server.server.ts");
  await (globalThis.parasolOperations ??= serveOperations({ port, host }));
}

export async function stopOperations(): Promise<void> {
  await (await globalThis.parasolOperations)?.close();
}
