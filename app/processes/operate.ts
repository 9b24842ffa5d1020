/**
 * `npm run operate -- COMMAND`: an operator's commands. Each prints JSON lines and exits with 0, or with 1 and the
 * reason. A command is imported when it runs, because importing it opens the database.
 */
const usage = `npm run -s operate -- COMMAND
  migrate         applies pending migrations and creates the queue's tables; run it before each new version starts
  reseal          encrypts all secrets with the first of ENCRYPTION_KEYS; run it after every process has both keys
  after-restore   run it once after a backup was restored, before processes start: plans are looked up before creation
  rebuild [SHOP]  derives the lists of orders, items and tasks again from the orders' books, of one shop or of all
  explain SHOP ORDER  says why an order has no contract; ORDER is its id or its name
  dead-letters    lists, shows and retries jobs that used up their retries: dead-letters --help`;

type Command = (args: string[]) => Promise<boolean>;

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const fail = (reason: string) => {
  process.stderr.write(`${reason}\n`);
  return false;
};

const commands: Record<string, Command> = {
  async migrate() {
    const { env } = await import("#app/platform/env.server.ts");
    const { migrateDatabase } = await import("#app/platform/database.server.ts");
    const { MigrationFailedError } = await import("#app/platform/migrations.server.ts");
    const { DatabaseUnreachableError } = await import("#app/platform/database-errors.ts");
    const url = env.DATABASE_DIRECT_URL ?? env.DATABASE_URL;
    const variable = env.DATABASE_DIRECT_URL === undefined ? "DATABASE_URL" : "DATABASE_DIRECT_URL";
    try {
      // Opening the embedded database below migrates it.
      if (url !== undefined) say({ migrated: await migrateDatabase(url, undefined, variable) });
    } catch (error) {
      if (error instanceof MigrationFailedError || error instanceof DatabaseUnreachableError)
        return fail(error.message);
      throw error;
    }
    const { database } = await import("#app/platform/db.server.ts");
    const { jobQueue, stopQueue } = await import("#app/jobs/queue.server.ts");
    await jobQueue();
    await stopQueue();
    await database.close();
    say({ queue: "ready" });
    return true;
  },

  async reseal() {
    const { database } = await import("#app/platform/db.server.ts");
    const { resealSecrets } = await import("./reseal-secrets.server.ts");
    say({ resealed: await resealSecrets() });
    // A process that still encrypts with the old key shows in a second pass.
    const remaining = await resealSecrets();
    await database.close();
    const isDone = Object.values(remaining).every((count) => count === 0);
    say(isDone ? { done: true } : { done: false, sealedWithAnOldKeyMeanwhile: remaining });
    return isDone;
  },

  async "after-restore"() {
    const { database } = await import("#app/platform/db.server.ts");
    const { noteRestore } = await import("#app/reconciliation/reconciliation.server.ts");
    say({ restoredAt: await noteRestore() });
    await database.close();
    return true;
  },

  async rebuild([shop = null]) {
    const { database } = await import("#app/platform/db.server.ts");
    const { rebuildOrders } = await import("./rebuild-orders.server.ts");
    const rebuilt = await rebuildOrders(shop, say);
    await database.close();
    say({ rebuilt });
    return true;
  },

  async explain([shop, order]) {
    if (shop === undefined || order === undefined)
      return fail("Name the shop and the order: explain SHOP ORDER");
    const { database } = await import("#app/platform/db.server.ts");
    const { explainInWords } = await import("./explain-order.server.ts");
    const plans = await explainInWords(shop, order);
    await database.close();
    if (plans === null)
      return fail(`${shop} has no order ${order} here: Parasol knows orders that were paid`);
    for (const plan of plans) say(plan);
    return true;
  },

  async "dead-letters"(args) {
    const { deadLetterUsage } = await import("./dead-letter-usage.ts");
    if (args.length === 0 || args.includes("--help")) {
      process.stdout.write(`${deadLetterUsage}\n`);
      return true;
    }
    const deadLetters = await import("./dead-letter-commands.server.ts");
    const { database } = await import("#app/platform/db.server.ts");
    const { stopQueue } = await import("#app/jobs/queue.server.ts");
    const lines = await deadLetters.runDeadLetterCommand(args);
    for (const line of lines ?? []) say(line);
    await stopQueue();
    await database.close();
    return lines === null
      ? fail(`No such command: dead-letters ${args.join(" ")}\n${deadLetterUsage}`)
      : true;
  },
};

/** @returns whether the command succeeded */
async function operate([name = "", ...args]: string[]): Promise<boolean> {
  if (["", "help", "--help", "-h"].includes(name)) {
    process.stdout.write(`${usage}\n`);
    return true;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return command ? command(args) : fail(`Unknown command: ${name}\n${usage}`);
}

process.exit((await operate(process.argv.slice(2))) ? 0 : 1);

export {};
