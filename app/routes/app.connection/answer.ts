import type { CheckResult, ConnectionProblems, ConnectResult } from "#app/merchants/connection.ts";

/** What the page's action answers. */
export type Answer =
  | { done: "connect"; problems: ConnectionProblems }
  | { done: "connect"; result: ConnectResult }
  | { done: "check"; result: CheckResult | null }
  | { done: "use"; result: { state: "switched" | "not_connected" } }
  | { done: "disconnect" | "remove_organisation" };
