/** The thread in which a merchant's file is parsed (read-file.server.ts). It sends the references in parts. */
import { parentPort, workerData } from "node:worker_threads";
import { parseReferences } from "./import.ts";
import type { ParsedPart } from "./read-file.server.ts";

/** Each part is unpacked by the receiving thread in one go. */
const PART = 1_000;

const file: unknown = workerData;
if (!(file instanceof ArrayBuffer) || parentPort === null) throw new TypeError("Started without a file");
const { references, categories, errors } = parseReferences(new TextDecoder().decode(file));
const send = (part: ParsedPart) => parentPort?.postMessage(part);
for (let from = 0; from < references.length; from += PART) {
  send({ references: references.slice(from, from + PART), categories: [], errors: [] });
}
for (let from = 0; from < errors.length; from += PART) {
  send({ references: [], categories: [], errors: errors.slice(from, from + PART) });
}
send({ references: [], categories, errors: [] });
