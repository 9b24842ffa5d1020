/** What the insurer's words for the status of a contract mean: the merchant says it once for each word and account. */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { type Meaning, statusWords, wordOf } from "#app/insurance/status-words.ts";
import { sendJob } from "#app/jobs/queue.server.ts";
import type { JobPayloads } from "#app/jobs/definitions.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { appendToOrder, type Locked } from "#app/orders/book/book.server.ts";
import { type BookEvent, type EventOf, itemKeyOf } from "#app/orders/book/events.ts";
import type { Order } from "#app/orders/book/evolve.ts";
import { closeTask, openTask } from "#app/orders/tasks/tasks.server.ts";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { z } from "zod";

type Decide = (locked: Locked) => readonly BookEvent[] | null | Promise<readonly BookEvent[] | null>;

/** What is appended, and a task for each word in it that the merchant has not explained. */
export const askingAboutWords =
  (shop: string, environment: Environment, decide: Decide): Decide =>
  async (locked) => {
    const events = await decide(locked);
    for (const event of events ?? [])
      if (event.type === "contract" && event.status === "listed")
        await askAboutWord(locked.tx, shop, environment, event.statusText);
    return events;
  };

async function askAboutWord(tx: Transaction, shop: string, environment: Environment, word: string) {
  const subjectId = `${environment}:${wordOf(word)}`;
  await openTask({ shop, kind: "status_word", subjectId, details: { environment, word } }, tx);
}

/** Stores the merchant's answer; a job reads the orders again that have contracts of this word. */
export async function answerStatusWord(
  shop: string,
  task: { id: string; environment: Environment; word: string },
  meaning: Meaning,
  actor: Actor,
): Promise<"done" | "conflict" | "unknown"> {
  const { id, environment } = task;
  const word = wordOf(task.word);
  const where = { shop_environment: { shop, environment } };
  const isStored = await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT FROM "Connection" WHERE shop = ${shop} AND environment = ${environment} FOR UPDATE`;
    const row = await tx.connection.findUnique({ where, select: { statusWords: true } });
    if (row === null) return false;
    const words = { ...statusWords.parse(row.statusWords), [word]: meaning };
    await tx.connection.update({ where, data: { statusWords: words } });
    await sendJob(tx, "status-word", { shop, environment, word });
    const note = { shop, actor, action: "status_word_explained", subject: task.word } as const;
    await recordAudit({ ...note, after: { meaning } }, tx);
    return true;
  });
  return isStored ? closeTask(shop, { id, kind: "status_word" }, "done", actor) : "conflict";
}

const orderIds = z.array(z.object({ orderId: z.string() }));

/** Reads the books again that have contracts by this word, as the merchant explained it. Safe to repeat. */
export async function applyStatusWord({
  shop,
  environment,
  word,
}: JobPayloads["status-word"]): Promise<void> {
  const where = { shop_environment: { shop, environment } };
  const row = await db.connection.findUnique({ where, select: { statusWords: true } });
  const meaning = row === null ? undefined : statusWords.parse(row.statusWords)[word];
  if (meaning === undefined) return;
  const orders = await db.$queryRaw`
    SELECT DISTINCT o."orderId" FROM "OrderEvent" AS e JOIN "Order" AS o USING (shop, "orderId")
    WHERE e.shop = ${shop} AND e.type = 'contract' AND o.environment = ${environment}
      AND e.data->>'status' IN ('listed', 'active', 'other') AND lower(e.data->>'statusText') <> 'active'`;
  for (const { orderId } of orderIds.parse(orders))
    await appendToOrder(shop, orderId, ({ order }) => {
      const events = explainedContracts(order, word, meaning);
      return events.length === 0 ? null : events;
    });
}

function explainedContracts(order: Order, word: string, meaning: Meaning): EventOf<"contract">[] {
  const status = meaning === "in_force" ? "active" : "other";
  return order.items.flatMap((item) => {
    const { contract } = item;
    const isOfWord =
      contract !== null &&
      // A cancelled contract keeps the word that it had before.
      !["missing", "cancelled"].includes(contract.status) &&
      wordOf(contract.statusText) === word;
    if (!isOfWord || contract.status === status) return [];
    return { ...contract, type: "contract" as const, item: itemKeyOf(item), status };
  });
}
