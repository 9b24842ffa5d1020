/**
 * Reads a merchant's file of references in a thread of its own: parsing 20 MB takes seconds, in which the process would
 * answer nobody. The thread has limits of time and memory.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import type { ParsedFile } from "./import.ts";

/** What the thread sends, several times. */
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
const WORKER = import.meta.filename.endsWith(".ts")
  ? "./app/catalogue/references/import-worker.ts"
  : "./build/processes/import-worker.js";

/** Threads at once, for all shops. */
const threads = pLimit(2);
const readingShops = new Set<string>();

/** @param file is handed over: the caller cannot read it any more */
export async function readReferenceFile(
  shop: string,
  file: ArrayBuffer,
  limits = defaultLimits,
): Promise<ParsedFile | UnreadFile> {
  if (readingShops.has(shop)) return "busy";
  readingShops.add(shop);
  try {
    return await threads(() => readInThread(file, limits));
  } finally {
    readingShops.delete(shop);
  }
}

async function readInThread(
  file: ArrayBuffer,
  { timeMs, memoryMib }: Limits,
): Promise<ParsedFile | UnreadFile> {
  const worker = new Worker(WORKER, {
    workerData: file,
    transferList: [file],
    resourceLimits: { maxOldGenerationSizeMb: memoryMib },
    // The thread needs no secret.
    env: {},
    execArgv: [],
  });
  const parsed: ParsedFile = { references: [], categories: [], errors: [] };
  worker.on("message", (part: ParsedPart) => {
    parsed.references.push(...part.references);
    parsed.categories.push(...part.categories);
    parsed.errors.push(...part.errors);
  });
  const outOfTime = AbortSignal.timeout(timeMs);
  try {
    // Rejects with an error of the thread; all messages have come before it exits.
    await once(worker, "exit", { signal: outOfTime });
    return parsed;
  } catch (error) {
    const isOutOfMemory =
      error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
    if (outOfTime.aborted || isOutOfMemory) return "too_complex";
    throw error;
  } finally {
    await worker.terminate();
  }
}
