/** What `npm run move-shop` understands (move-shop.ts). */
import { parseArgs } from "node:util";
import { z } from "zod";
import { forgetMovedShop, moveShop, shopsServedHere, undoMove } from "#app/cells/move-shop.server.ts";
import type { ReportStep } from "#app/cells/move-shop.server.ts";
import { CannotMoveError } from "#app/cells/cell-database.server.ts";
import { env } from "#app/platform/env.server.ts";

export const usage = `npm run -s move-shop -- COMMAND     in the environment of the cell that has the shop, with CELL
  --shop SHOP            moves it to the cell of TARGET_DATABASE_URL, or goes on with a move
  --shop SHOP --undo     it stays here; possible until the other cell has opened it
  --shop SHOP --forget   deletes the copy that a move has left here
  --list                 the shops of this cell, as lines of the proxy's map`;

const shop = z.string().regex(/^[a-z0-9][a-z0-9-]*\.myshopify\.com$/);
const command = z.union([
  z.strictObject({ list: z.literal(true) }),
  z.strictObject({ shop, undo: z.literal(true) }),
  z.strictObject({ shop, forget: z.literal(true) }),
  z.strictObject({ shop }),
]);

/** @returns false: the arguments are not understood, and nothing was done @throws CannotMoveError */
export async function runMoveCommand(args: string[], write: (line: string) => void): Promise<boolean> {
  const given = readCommand(args);
  if (given === null) return false;
  const { CELL: cell, TARGET_DATABASE_URL: targetUrl } = env;
  const sourceUrl = env.DATABASE_DIRECT_URL ?? env.DATABASE_URL;
  if (cell === undefined || sourceUrl === undefined || sourceUrl === "memory:")
    throw new CannotMoveError("This is no cell: CELL and DATABASE_URL have to be in the environment");
  if ("list" in given) {
    for (const each of await shopsServedHere(sourceUrl)) write(`${each} ${cell}`);
    return true;
  }
  if (targetUrl === undefined)
    throw new CannotMoveError("TARGET_DATABASE_URL has to name the other cell's database");
  const report: ReportStep = (line) => write(JSON.stringify(line));
  const act = "undo" in given ? undoMove : "forget" in given ? forgetMovedShop : moveShop;
  await act({ shop: given.shop, sourceUrl, targetUrl, report });
  return true;
}

function readCommand(args: string[]): z.infer<typeof command> | null {
  const options = {
    shop: { type: "string" },
    undo: { type: "boolean" },
    forget: { type: "boolean" },
    list: { type: "boolean" },
  } as const;
  try {
    return command.safeParse(parseArgs({ args, options }).values).data ?? null;
  } catch (error) {
    // parseArgs: an option that is not among these.
    if (error instanceof TypeError) return null;
    throw error;
  }
}
