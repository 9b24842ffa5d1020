/** The process in which a merchant's file is parsed (read-file.server.ts). It sends the references in parts. */
import { once } from "node:events";
import { parseReferences } from "./import.ts";
import type { ParsedPart } from "./read-file.server.ts";

/** Each part is unpacked by the receiving process in one go. */
const PART = 1_000;

const messages: unknown[] = await once(process, "message");
const [file] = messages;
if (!(file instanceof Uint8Array)) throw new TypeError("Started without a file");
const { references, categories, errors } = parseReferences(new TextDecoder().decode(file));
/** Resolves when it is sent: what is not, is lost with the channel. */
const send = (part: ParsedPart) =>
  new Promise<void>((resolve) => process.send?.(part, undefined, undefined, () => resolve()));
for (let from = 0; from < references.length; from += PART) {
  await send({ references: references.slice(from, from + PART), categories: [], errors: [] });
}
for (let from = 0; from < errors.length; from += PART) {
  await send({ references: [], categories: [], errors: errors.slice(from, from + PART) });
}
await send({ references: [], categories, errors: [] });
process.disconnect();
