/**
 * `npm run -s move-shop -- --shop SHOP`: moves a shop from this cell to the one of TARGET_DATABASE_URL, while both serve
 * (docs/operations.md, "Cells"). Prints a JSON object a step.
 */
import { CannotMoveError } from "#app/cells/cell-database.server.ts";
import { database } from "#app/platform/db.server.ts";
import { runMoveCommand, usage } from "./move-shop-command.server.ts";

let status = 0;
try {
  const isUnderstood = await runMoveCommand(process.argv.slice(2), (line) =>
    process.stdout.write(`${line}\n`),
  );
  if (!isUnderstood) {
    process.stderr.write(`${usage}\n`);
    status = 1;
  }
} catch (error) {
  if (!(error instanceof CannotMoveError)) throw error;
  process.stderr.write(`${error.message}\n`);
  status = 1;
}
await database.close();
process.exit(status);
