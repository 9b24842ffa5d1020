/** How many statements a page asks of the database. */
import { AsyncLocalStorage } from "node:async_hooks";
import { PGlite } from "@electric-sql/pglite";
import { vi } from "vitest";

const asking = new AsyncLocalStorage<{ count: number }>();

/** Counts what is asked on behalf of `run`; what the queue asks for itself meanwhile does not count. */
export async function countQueries(run: () => Promise<unknown>): Promise<number> {
  const counter = { count: 0 };
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the database it was called on, below
  const { query } = PGlite.prototype;
  const spy = vi.spyOn(PGlite.prototype, "query").mockImplementation(function (this: PGlite, ...given) {
    const counting = asking.getStore();
    if (counting) counting.count += 1;
    return query.apply(this, given);
  });
  try {
    await asking.run(counter, run);
  } finally {
    spy.mockRestore();
  }
  if (counter.count === 0) throw new Error("Nothing was asked, so nothing was counted");
  return counter.count;
}
