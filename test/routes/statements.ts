/**
 * The SQL statements of the app, for tests that count or read them. A test file installs the recorder before it loads
 * the app: test/routes/query-counts.test.ts.
 */
import { AsyncLocalStorage } from "node:async_hooks";

interface Query {
  sql: string;
}
interface Queryable {
  queryRaw(query: Query): unknown;
  executeRaw(query: Query): unknown;
  startTransaction?(...options: unknown[]): Promise<Queryable>;
}
interface Factory {
  connect(): Promise<Queryable>;
}
interface AdapterModule {
  PrismaPg: new (...options: never[]) => Factory;
}

interface Recorder {
  statements: string[];
  /** the number of statements before the process is killed */
  left: number;
}

const recorder = new AsyncLocalStorage<Recorder>();

/** The statements of `work` itself, without a worker's polls and the queue's own connection. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  await recorder.run({ statements, left: Infinity }, work);
  return statements;
}

class ProcessGone extends Error {
  override name = "ProcessGone";
}

/** Runs `work` in a process that is killed after the given number of statements: it executes none of the next ones. */
export async function killedAfter(left: number, work: () => Promise<unknown>): Promise<void> {
  await recorder.run({ statements: [], left }, () => work().catch(() => undefined));
}

/** The adapter's module, with every statement recorded. */
export function recording(module: AdapterModule): AdapterModule {
  class Recording extends module.PrismaPg {
    override async connect(): Promise<Queryable> {
      return listened(await super.connect());
    }
  }
  return { ...module, PrismaPg: Recording };
}

function listened(target: Queryable): Queryable {
  return new Proxy(target, {
    get(of, name) {
      if (name === "queryRaw" || name === "executeRaw") {
        return (query: Query) => {
          const running = recorder.getStore();
          if (running) {
            running.statements.push(query.sql);
            running.left -= 1;
            // The database rolls back the open transaction of a closed connection.
            if (running.left < 0 && query.sql !== "ROLLBACK") throw new ProcessGone("The process was killed");
          }
          return of[name](query);
        };
      }
      if (name === "startTransaction" && of.startTransaction) {
        return async (...options: unknown[]) => {
          const transaction = await of.startTransaction?.(...options);
          return transaction && listened(transaction);
        };
      }
      const value: unknown = Reflect.get(of, name, of);
      return typeof value === "function" ? (value.bind(of) as unknown) : value;
    },
  });
}
