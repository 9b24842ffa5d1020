/** The thread in which a large list of the service is read (large-list.server.ts). It sends the items in parts. */
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { parseJson } from "./json.ts";
import type { LargeList, LargeListPart } from "./large-list.server.ts";
import { listItems } from "./list-items.ts";
import { lists } from "./lists.ts";
import { ResponseValidationError } from "./response-reader.ts";

/** Each part is unpacked by the receiving thread in one go, and between two it serves others. */
const PART = 500;
/** An item with all its texts is a few kilobytes. */
const MAX_ITEM_BYTES = 256 * 1024;

const names = z.enum(["offers", "categories", "plans", "claims", "sales", "commissions"]);
const started: z.ZodType<LargeList> = z.object({ name: names, json: z.instanceof(Uint8Array) });

const { name, json } = started.parse(workerData);
if (parentPort === null) throw new TypeError("Not started as a thread");
const receiver = parentPort;
const send = (part: LargeListPart) => receiver.postMessage(part);
try {
  let part: unknown[] = [];
  for (const item of readItems()) {
    if (part.push(item) < PART) continue;
    send({ items: part });
    part = [];
    await once(receiver, "message");
  }
  send({ items: part });
} catch (error) {
  if (error instanceof SyntaxError) send({ problem: "no JSON" });
  else if (error instanceof ResponseValidationError)
    send({ problem: "unexpected", reason: error.message, field: error.field });
  else throw error;
}

function* readItems(): Generator {
  const items = listItems(json, [name]);
  if (items === null) throw new ResponseValidationError(`no list of ${name} in it`, null);
  const { readItem, maxItems } = lists[name];
  let index = 0;
  for (const item of items) {
    if (item.length > MAX_ITEM_BYTES)
      throw new ResponseValidationError(`[${index}] is larger than ${MAX_ITEM_BYTES} bytes`, `[${index}]`);
    if (index === maxItems) throw new ResponseValidationError(`more than ${maxItems} ${name}`, null);
    yield readItem(parseJson(item), index);
    index += 1;
  }
}
