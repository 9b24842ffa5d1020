/**
 * Reads large lists of the service in a thread: tens of megabytes take seconds, in which the process would answer
 * nobody. The thread's time is the request's.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import type { ListItems, ListName } from "./lists.ts";
import { ResponseValidationError } from "./response-reader.ts";

/** What the thread is started with. */
export interface LargeList {
  name: ListName;
  json: Uint8Array;
}

/** What the thread sends: items, several times, or why there are none. */
export type LargeListPart<Item = unknown> =
  | { items: Item[] }
  | { problem: "no JSON" }
  | { problem: "unexpected"; reason: string; field: string | null };

/** Relative to the folder in which the process starts. */
const WORKER = "./app/insurance/large-list-thread.ts";

/** Threads at once, for all shops. */
const threads = pLimit(2);

/**
 * @param json is handed over: the caller cannot read it any more
 * @throws SyntaxError, ResponseValidationError, an AbortError
 */
export function readLargeList<Name extends ListName>(
  name: Name,
  json: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<ListItems[Name][]> {
  return threads(() => readInThread(name, json, signal));
}

async function readInThread<Name extends ListName>(
  name: Name,
  json: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<ListItems[Name][]> {
  signal.throwIfAborted();
  const workerData: LargeList = { name, json };
  const worker = new Worker(WORKER, {
    workerData,
    transferList: [json.buffer],
    // The thread needs no secret.
    env: {},
    execArgv: [],
  });
  const items: ListItems[Name][] = [];
  const problems: Error[] = [];
  worker.on("message", (part: LargeListPart<ListItems[Name]>) => {
    if ("items" in part) {
      items.push(...part.items);
      // Parts that are waiting are unpacked without a pause: the next one is sent when this one was taken.
      worker.postMessage("next");
    } else if (part.problem === "no JSON") problems.push(new SyntaxError("No JSON"));
    else problems.push(new ResponseValidationError(part.reason, part.field));
  });
  try {
    // Rejects with an error of the thread; all messages have come before it exits.
    await once(worker, "exit", { signal });
  } finally {
    await worker.terminate();
  }
  const [problem] = problems;
  if (problem) throw problem;
  return items;
}
