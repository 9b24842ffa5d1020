/**
 * Reads a merchant's file of references in a process of its own: parsing 20 MB takes seconds, in which this one would
 * answer nobody. The other has limits of time and memory. A thread's limit of memory is none: where it is reached
 * within JSON.parse, such as by millions of empty objects, the whole process ends.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import pLimit from "p-limit";
import type { ParsedFile } from "./import.ts";

/** What the other process sends, several times. */
export type ParsedPart = ParsedFile;

/** `busy`: another file of the shop is being read; `too_complex`: it needs more time or memory than a file may */
export type UnreadFile = "busy" | "too_complex";

interface Limits {
  /** 50,000 references are read in about two seconds on an idle core. */
  timeMs: number;
  memoryMib: number;
}
const defaultLimits: Limits = { timeMs: 30_000, memoryMib: 384 };

/** Relative to the folder in which the process starts, as all built files are. */
const WORKER = "./app/catalogue/references/import-worker.ts";

/** Processes at once, for all shops. */
const processes = pLimit(2);
const readingShops = new Set<string>();

export async function readReferenceFile(
  shop: string,
  file: ArrayBuffer,
  limits = defaultLimits,
): Promise<ParsedFile | UnreadFile> {
  if (readingShops.has(shop)) return "busy";
  readingShops.add(shop);
  try {
    return await processes(() => readInProcess(file, limits));
  } finally {
    readingShops.delete(shop);
  }
}

async function readInProcess(
  file: ArrayBuffer,
  { timeMs, memoryMib }: Limits,
): Promise<ParsedFile | UnreadFile> {
  const child = fork(WORKER, {
    serialization: "advanced",
    // It needs no secret, and says nothing but the result.
    env: { NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    execArgv: [`--max-old-space-size=${memoryMib}`],
  });
  const parsed: ParsedFile = { references: [], categories: [], errors: [] };
  child.on("message", (part: ParsedPart) => {
    parsed.references.push(...part.references);
    parsed.categories.push(...part.categories);
    parsed.errors.push(...part.errors);
  });
  const outOfTime = AbortSignal.timeout(timeMs);
  const ends = { signal: outOfTime };
  // All messages have come before its channel is closed.
  const closed = Promise.all([once(child, "disconnect", ends), once(child, "exit", ends)]);
  try {
    child.send(new Uint8Array(file), () => undefined);
    await closed;
  } catch (error) {
    if (outOfTime.aborted) return "too_complex";
    throw error;
  } finally {
    child.kill("SIGKILL");
  }
  // Out of memory, it aborts itself, or the system ends it.
  if (child.signalCode !== null) return "too_complex";
  if (child.exitCode !== 0) throw new Error(`A file's reader ended with code ${child.exitCode}`);
  return parsed;
}
