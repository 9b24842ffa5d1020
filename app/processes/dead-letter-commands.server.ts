/** The subcommands of `npm run operate -- dead-letters` (operate.ts). */
import { parseArgs } from "node:util";
import { z } from "zod";
import { replayChosen } from "#app/jobs/queue.server.ts";
import { groupDeadLetters, latestDeadLetters } from "#app/jobs/queue-tables.server.ts";
import { jobNames } from "#app/jobs/definitions.ts";
import { log } from "#app/platform/log.server.ts";
import { isShopDomain } from "#app/shopify/shop-domain.ts";

const id = z.uuid();
const job = z.enum(jobNames).optional();
const shop = z.string().refine(isShopDomain).optional();
const limit = z.coerce.number().int().min(1).max(200).default(20);
const nothing = z.undefined().optional();

const command = z.union([
  z.strictObject({ command: z.literal("list"), job, shop, limit }),
  z.strictObject({ command: z.literal("show"), id }),
  z.strictObject({ command: z.literal("retry"), id }),
  z.strictObject({ command: z.literal("retry"), job: z.enum(jobNames), shop, id: nothing }),
  z.strictObject({ command: z.literal("retry"), all: z.literal(true), id: nothing }),
]);

/** @returns one JSON object a line; null: the arguments are invalid and nothing changed */
export async function runDeadLetterCommand(args: string[]): Promise<object[] | null> {
  const parsed = readCommand(args);
  if (parsed === null) return null;
  if (parsed.command === "list") {
    const groups = await groupDeadLetters(parsed);
    if (groups.length === 0) return [{ deadLetters: 0 }];
    return [...groups, ...(await latestDeadLetters(parsed, parsed.limit))];
  }
  if (parsed.command === "show") return latestDeadLetters({ id: parsed.id }, 1);
  const choice = "all" in parsed ? {} : parsed;
  const sent = await replayChosen(choice);
  log.info({ jobs: sent }, "The operator queued dead letters again");
  return [{ sent }];
}

function readCommand(args: string[]): z.infer<typeof command> | null {
  const options = {
    job: { type: "string" },
    shop: { type: "string" },
    limit: { type: "string" },
    all: { type: "boolean" },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [name, id, ...more] = positionals;
    if (more.length > 0) return null;
    const given = { command: name, ...values, ...(id === undefined ? {} : { id }) };
    return command.safeParse(given).data ?? null;
  } catch (error) {
    // parseArgs throws on an unknown option.
    if (error instanceof TypeError) return null;
    throw error;
  }
}
