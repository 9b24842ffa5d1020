/** Creation of one or many plans or leads (spec, "Endpoints" 5 and 6: the wrapping of several is not shown). */
import pLimit from "p-limit";
import type { z } from "zod";
import { InsuranceError } from "./errors.ts";
import { Unexpected, list, one } from "./read.ts";
import type { Send } from "./request.server.ts";

/** `perRequest` bounds how many go into one bulk request. */
export type BulkForm = "one per request" | { wrapping: "array" | "object"; perRequest: number };

/** What became of one of several creations. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; error: InsuranceError };

interface Creation<In, Schema extends z.ZodType> {
  path: string;
  /** The resource's names, the plural first: it is also the key of the object form. */
  names: [string, ...string[]];
  body: (item: In) => unknown;
  /** What of the item is personal. */
  personal: (item: In) => unknown;
  created: Schema;
  exactDecimals?: boolean;
  /** How many requests of one createMany are under way at a time. */
  concurrency: number;
}

export function creation<In, Schema extends z.ZodType>(
  send: Send,
  form: BulkForm = "one per request",
  { path, names, body, personal, created, exactDecimals, concurrency }: Creation<In, Schema>,
) {
  const create = (item: In, { maySend }: { maySend?: () => boolean } = {}): Promise<z.output<Schema>> =>
    send({
      method: "POST",
      path,
      body: body(item),
      personal: personal(item),
      read: one(created, names),
      exactDecimals,
      maySend,
    });

  const createTogether = async (
    items: In[],
    wrapping: "array" | "object",
  ): Promise<Outcome<z.output<Schema>>[]> => {
    const bodies = items.map(body);
    const outcome = await settle(
      send({
        method: "POST",
        path,
        body: wrapping === "array" ? bodies : { [names[0]]: bodies },
        personal: items.map(personal),
        // Without an id of ours in the answer, only its order ties the created to the sent.
        read: (answer) => exactly(items.length, list(created, names[0])(answer)),
        exactDecimals,
      }),
    );
    return outcome.ok
      ? outcome.value.map((value) => ({ ok: true, value }))
      : items.map(() => ({ ok: false, error: outcome.error }));
  };

  const createMany = async (items: In[]): Promise<Outcome<z.output<Schema>>[]> => {
    const limit = pLimit(concurrency);
    if (form === "one per request") return limit.map(items, (item) => settle(create(item)));
    const groups = Array.from({ length: Math.ceil(items.length / form.perRequest) }, (_, index) =>
      items.slice(index * form.perRequest, (index + 1) * form.perRequest),
    );
    return (await limit.map(groups, (group) => createTogether(group, form.wrapping))).flat();
  };

  return { create, createMany };
}

async function settle<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await call };
  } catch (error) {
    if (error instanceof InsuranceError) return { ok: false, error };
    throw error;
  }
}

function exactly<T>(count: number, created: T[]): T[] {
  if (created.length === count) return created;
  throw new Unexpected(`${created.length} created where ${count} were sent`, null);
}
