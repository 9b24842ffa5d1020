/**
 * Bulk operations: the platform reads or writes any number of objects on its side and keeps the result as a file of
 * one JSON object per line. They cost a handful of points, however large the shop.
 */
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { request } from "undici";
import { z } from "zod";
import { AdminUnavailable, userErrors } from "./graphql.server.ts";
import type { AdminCaller } from "./graphql.server.ts";

/** The platform ended a bulk operation without its result. */
export class BulkFailed extends Error {
  override name = "BulkFailed";
}

const started = z.object({
  operation: z.object({ bulkOperation: z.object({ id: z.string() }).nullable(), userErrors }),
});
const state = z.object({
  bulkOperation: z.object({
    status: z.enum(["CREATED", "RUNNING", "COMPLETED", "CANCELING", "CANCELED", "FAILED", "EXPIRED"]),
    errorCode: z.string().nullable(),
    url: z.string().nullable(),
  }),
});

/**
 * Reads every object of a bulk query. A nested object carries its parent's id as `__parentId`; the order is not promised.
 * @param query one connection at the top, others at most two levels deep
 * @param line schema of any of its lines
 * @throws BulkFailed, AdminRefused, AdminUnavailable
 */
export async function* readInBulk<T>(
  caller: AdminCaller,
  query: string,
  line: z.ZodType<T>,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  const id = await start(
    caller,
    `#graphql
    mutation ParasolBulkRead($query: String!) {
      operation: bulkOperationRunQuery(query: $query) { bulkOperation { id } userErrors { field message code } }
    }`,
    { query },
    signal,
  );
  yield* lines(await finished(caller, id, signal), line, signal);
}

const staged = z.object({
  stagedUploadsCreate: z.object({
    stagedTargets: z
      .array(
        z.object({ url: z.string(), parameters: z.array(z.object({ name: z.string(), value: z.string() })) }),
      )
      .nullable(),
    userErrors,
  }),
});

/**
 * Runs a mutation once per object of variables, and yields each answer.
 * @param mutation with the variables that each object of `variables` holds
 * @param answer schema of one line: `{ data: …, __lineNumber }`
 */
export async function* writeInBulk<T>(
  caller: AdminCaller,
  mutation: string,
  variables: readonly object[],
  answer: z.ZodType<T>,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  if (variables.length === 0) return;
  const upload = await caller.call({
    query: `#graphql
    mutation ParasolStageUpload($input: [StagedUploadInput!]!) {
      stagedUploadsCreate(input: $input) {
        stagedTargets { url parameters { name value } }
        userErrors { field message }
      }
    }`,
    variables: {
      input: [
        {
          resource: "BULK_MUTATION_VARIABLES",
          filename: "variables.jsonl",
          mimeType: "text/jsonl",
          httpMethod: "POST",
        },
      ],
    },
    data: staged,
  });
  const target = upload.stagedUploadsCreate.stagedTargets?.[0];
  const key = target?.parameters.find(({ name }) => name === "key")?.value;
  if (!target || key === undefined) {
    throw new BulkFailed(upload.stagedUploadsCreate.userErrors.map(({ message }) => message).join("; "));
  }
  const form = new FormData();
  for (const { name, value } of target.parameters) form.append(name, value);
  const text = variables.map((each) => JSON.stringify(each)).join("\n");
  form.append("file", new Blob([text], { type: "text/jsonl" }), "variables.jsonl");
  const sent = await fetch(target.url, { method: "POST", body: form, signal: signal ?? null });
  if (!sent.ok) throw new BulkFailed(`The upload was answered with status ${sent.status}`);
  const id = await start(
    caller,
    `#graphql
    mutation ParasolBulkWrite($mutation: String!, $path: String!) {
      operation: bulkOperationRunMutation(mutation: $mutation, stagedUploadPath: $path) { bulkOperation { id } userErrors { field message code } }
    }`,
    { mutation, path: key },
    signal,
  );
  yield* lines(await finished(caller, id, signal), answer, signal);
}

/** A shop runs few bulk operations at a time: another one's end is worth waiting for. */
async function start(
  caller: AdminCaller,
  query: string,
  variables: Record<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<string> {
  for (let tries = 0; ; tries++) {
    const { operation } = await caller.call({ query, variables, data: started });
    if (operation.bulkOperation) return operation.bulkOperation.id;
    const busy = operation.userErrors.some(
      ({ code, message }) =>
        code === "OPERATION_IN_PROGRESS" || code === "LIMIT_REACHED" || /already in progress/i.test(message),
    );
    const words = operation.userErrors.map(({ message }) => message).join("; ");
    if (!busy) throw new BulkFailed(words);
    if (tries >= 60) throw new AdminUnavailable(`${caller.shop}: ${words}`);
    await wait(5_000, undefined, { signal });
  }
}

/** Waits for the result: often at first, because small ones are quick, then rarely, because each look costs a point. */
async function finished(
  caller: AdminCaller,
  id: string,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  for (let pause = 500; ; pause = Math.min(pause * 2, 10_000)) {
    await wait(pause, undefined, { signal });
    const { bulkOperation } = await caller.call({
      query: `#graphql
      query ParasolBulkState($id: ID!) { bulkOperation(id: $id) { status errorCode url } }`,
      variables: { id },
      data: state,
      points: 1,
    });
    if (bulkOperation.status === "COMPLETED") return bulkOperation.url;
    if (!["CREATED", "RUNNING"].includes(bulkOperation.status)) {
      throw new BulkFailed(
        `The bulk operation ended as ${bulkOperation.status} (${bulkOperation.errorCode ?? "no reason"})`,
      );
    }
  }
}

/** @param url null where the result is empty */
async function* lines<T>(
  url: string | null,
  schema: z.ZodType<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  if (url === null) return;
  const answer = await request(url, { signal: signal ?? null });
  if (answer.statusCode !== 200)
    throw new BulkFailed(`The result was answered with status ${answer.statusCode}`);
  for await (const line of createInterface({ input: answer.body, crlfDelay: Infinity })) {
    if (line !== "") yield schema.parse(JSON.parse(line));
  }
}
