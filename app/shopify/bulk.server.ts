/**
 * Bulk operations: Shopify reads or writes any number of objects, and stores the result as a file with one JSON
 * object per line. They cost a few points, whatever the size of the shop.
 */
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { request } from "undici";
import type { z } from "zod";
import { storableJson } from "#app/platform/storable-text.ts";
import type { AdminClient } from "./graphql.server.ts";
import { AdminUnavailable, BulkFailed, joinMessages } from "./errors.ts";
import type { UserError } from "./errors.ts";

/**
 * Reads every object of a bulk query. A nested object has its parent's id in `__parentId`; its line may come before
 * its parent's.
 * @param query one connection at the top, others at most two levels deep
 * @param schema of any line of the result
 * @returns the lines; each iteration downloads them again, so that a caller need not store them to read them twice
 * @throws BulkFailed, AdminRefused, AdminUnavailable
 */
export async function runBulkQuery<T>(
  client: AdminClient,
  query: string,
  schema: z.ZodType<T>,
  signal?: AbortSignal,
): Promise<AsyncIterable<T>> {
  const start = async () => {
    const { operation } = await client.request(
      `#graphql
      mutation ParasolBulkRead($query: String!) {
        operation: bulkOperationRunQuery(query: $query) { bulkOperation { id } userErrors { field message code } }
      }`,
      { variables: { query } },
    );
    return operation;
  };
  const id = await startOperation(client, "ParasolBulkRead", start, signal);
  const url = await waitForResult(client, id, signal);
  return { [Symbol.asyncIterator]: () => readJsonLines(client, url, schema, signal) };
}

/**
 * Runs a mutation once for each entry of `variables`, and yields each response.
 * @param mutation declares the variables that each entry holds
 * @param schema of one result line: `{ data: …, __lineNumber }`
 */
export async function* runBulkMutation<T>(
  client: AdminClient,
  mutation: string,
  variables: readonly object[],
  schema: z.ZodType<T>,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  if (variables.length === 0) return;
  const { stagedTargets } = await client.mutate(
    `#graphql
    mutation ParasolStageUpload($input: [StagedUploadInput!]!) {
      stagedUploadsCreate(input: $input) {
        stagedTargets { url parameters { name value } }
        userErrors { field message }
      }
    }`,
    {
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
    },
  );
  const target = stagedTargets?.[0];
  const key = target?.parameters.find(({ name }) => name === "key")?.value;
  if (!target?.url || key === undefined)
    throw bulkFailed(client, "ParasolStageUpload", "Shopify returned no address for the upload");
  const form = new FormData();
  for (const { name, value } of target.parameters) form.append(name, value);
  const jsonLines = variables.map((each) => JSON.stringify(each)).join("\n");
  form.append("file", new Blob([jsonLines], { type: "text/jsonl" }), "variables.jsonl");
  const uploaded = await fetch(target.url, { method: "POST", body: form, signal: signal ?? null });
  if (!uploaded.ok) throw bulkFailed(client, null, `the upload failed with status ${uploaded.status}`);
  const start = async () => {
    const { operation } = await client.request(
      `#graphql
      mutation ParasolBulkWrite($mutation: String!, $path: String!) {
        operation: bulkOperationRunMutation(mutation: $mutation, stagedUploadPath: $path) { bulkOperation { id } userErrors { field message code } }
      }`,
      { variables: { mutation, path: key } },
    );
    return operation;
  };
  const id = await startOperation(client, "ParasolBulkWrite", start, signal);
  yield* readJsonLines(client, await waitForResult(client, id, signal), schema, signal);
}

interface StartedOperation {
  bulkOperation?: { id: string } | null;
  userErrors: readonly UserError[];
}

/** Starts a bulk operation. A shop runs only a few concurrently, so this waits for others to finish. */
async function startOperation(
  client: AdminClient,
  name: string,
  start: () => Promise<StartedOperation | null | undefined>,
  signal: AbortSignal | undefined,
): Promise<string> {
  for (let tries = 0; ; tries++) {
    const operation = await start();
    if (operation?.bulkOperation) return operation.bulkOperation.id;
    const errors = operation?.userErrors ?? [];
    const isBusy = errors.some(
      ({ code, message }) =>
        code === "OPERATION_IN_PROGRESS" || code === "LIMIT_REACHED" || /already in progress/i.test(message),
    );
    const messages = joinMessages(errors);
    if (!isBusy) throw bulkFailed(client, name, messages);
    if (tries >= 60) {
      throw new AdminUnavailable(messages, { shop: client.shop, operation: name, requestId: null });
    }
    await wait(5_000, undefined, { signal });
  }
}

/**
 * Polls until the operation has finished: often at first, because small ones are fast, then rarely, because each poll
 * costs points.
 * @returns the result's URL; null if the result is empty
 */
async function waitForResult(
  client: AdminClient,
  id: string,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  for (let pause = 100; ; pause = Math.min(pause * 2, 10_000)) {
    await wait(pause, undefined, { signal });
    const { bulkOperation } = await client.request(
      `#graphql
      query ParasolBulkState($id: ID!) { bulkOperation(id: $id) { status errorCode url } }`,
      { variables: { id }, requestedCost: 1 },
    );
    const status = bulkOperation?.status ?? "EXPIRED";
    if (status === "COMPLETED") return bulkOperation?.url ?? null;
    if (!["CREATED", "RUNNING"].includes(status)) {
      throw bulkFailed(
        client,
        "ParasolBulkState",
        `the operation ended as ${status} (${bulkOperation?.errorCode ?? "no reason"})`,
      );
    }
  }
}

/**
 * Waits until none of the app's bulk mutations runs in the shop. A mutation continues after the process that started
 * it has ended.
 */
export async function waitForBulkMutations(client: AdminClient, signal: AbortSignal): Promise<void> {
  for (let pause = 500; ; pause = Math.min(pause * 2, 10_000)) {
    const { bulkOperations } = await client.request(
      `#graphql
      query ParasolBulkMutations {
        bulkOperations(first: 10, sortKey: CREATED_AT, reverse: true) { nodes { type status } }
      }`,
      {},
    );
    const isRunning = bulkOperations.nodes.some(
      ({ type, status }) => type === "MUTATION" && ["CREATED", "RUNNING", "CANCELING"].includes(status),
    );
    if (!isRunning) return;
    await wait(pause, undefined, { signal });
  }
}

/** @param url null if the result is empty */
async function* readJsonLines<T>(
  client: AdminClient,
  url: string | null,
  schema: z.ZodType<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  if (url === null) return;
  const response = await request(url, { signal: signal ?? null });
  if (response.statusCode !== 200)
    throw bulkFailed(client, null, `the download of the result failed with status ${response.statusCode}`);
  for await (const line of createInterface({ input: response.body, crlfDelay: Infinity })) {
    if (line !== "") yield schema.parse(JSON.parse(storableJson(line)));
  }
}

function bulkFailed(client: AdminClient, operation: string | null, message: string): BulkFailed {
  return new BulkFailed(message, { shop: client.shop, operation, requestId: null });
}
