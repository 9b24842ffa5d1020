/**
 * Bulk operations: a query whose lists are whole, or a mutation once per line of an uploaded JSONL file. Results are a
 * JSONL file to download; nested lists become lines of their own with `__parentId`.
 */
import { randomUUID } from "node:crypto";
import { Kind, parse, visit } from "graphql";
import type {
  MutationBulkOperationRunMutationArgs,
  MutationBulkOperationRunQueryArgs,
  MutationStagedUploadsCreateArgs,
} from "#app/shopify/types/admin.types.d.ts";
import { nextId } from "../ids.ts";
import type { ShopState } from "../state.ts";
import { NotImplemented, requireId } from "./resolver.ts";
import type { Call, Resolvers } from "./resolver.ts";

interface BulkOperation {
  id: string;
  type: "QUERY" | "MUTATION";
  status: "CREATED" | "RUNNING" | "COMPLETED" | "CANCELED" | "FAILED";
  /** lines of the result */
  objects: number;
  errorCode: string | null;
  url: string | null;
}

/** Limit of concurrent operations of an app on a shop, of each type (API 2026-01 and later). */
const MOST_AT_ONCE = 5;

/** The bulk operations of a shop and their files. */
export class BulkOperations {
  readonly #state: ShopState;
  readonly #origin: () => string;
  readonly #operations = new Map<string, BulkOperation>();
  /** Holds operations open, as large ones are on Shopify. */
  readonly #held = new Map<BulkOperation["type"], Promise<null>>();
  /** Uploaded and result files by key. */
  readonly files = new Map<string, string>();

  constructor(state: ShopState, origin: () => string) {
    this.#state = state;
    this.#origin = origin;
  }

  find(id: string): BulkOperation | undefined {
    return this.#operations.get(id);
  }

  all(): BulkOperation[] {
    return [...this.#operations.values()];
  }

  /** An upload target; `stagedUploadPath` contains its key. */
  stage(filename: string): { url: string; key: string } {
    const key = `tmp/${this.#state.id}/bulk/${randomUUID()}/${filename}`;
    return { url: `${this.#origin()}/sandbox-uploads`, key };
  }

  isBusy(type: BulkOperation["type"]): boolean {
    const isRunning = (each: BulkOperation) => each.status === "CREATED" || each.status === "RUNNING";
    return this.all().filter((each) => each.type === type && isRunning(each)).length >= MOST_AT_ONCE;
  }

  /**
   * Operations of this type stay RUNNING until the returned function is called, as large ones do for minutes. A query's
   * result is as old as its start; a mutation writes at the end.
   */
  hold(type: BulkOperation["type"]): () => void {
    const { promise, resolve } = Promise.withResolvers<null>();
    this.#held.set(type, promise);
    return () => {
      this.#held.delete(type);
      resolve(null);
    };
  }

  /** Runs after the response; `work` returns the result's lines, or the error code. */
  start(
    type: BulkOperation["type"],
    work: (operation: BulkOperation) => Promise<string[] | { errorCode: string }>,
  ): BulkOperation {
    const id = nextId(this.#state, "operation");
    const operation: BulkOperation = { id, type, status: "CREATED", objects: 0, errorCode: null, url: null };
    this.#operations.set(id, operation);
    setImmediate(() => void this.#run(operation, work));
    return operation;
  }

  async #run(operation: BulkOperation, work: Parameters<BulkOperations["start"]>[1]): Promise<void> {
    operation.status = "RUNNING";
    if (operation.type === "MUTATION") await this.#held.get("MUTATION");
    if (isCanceled(operation)) return;
    const lines = await work(operation);
    if (operation.type === "QUERY") await this.#held.get("QUERY");
    if (isCanceled(operation)) return;
    if ("errorCode" in lines) {
      Object.assign(operation, lines, { status: "FAILED" });
      return;
    }
    const key = `results/${operation.id}.jsonl`;
    this.files.set(key, lines.map((line) => `${line}\n`).join(""));
    operation.status = "COMPLETED";
    // Without a result there is no file.
    operation.url = lines.length === 0 ? null : `${this.#origin()}/sandbox-files/${key}`;
  }
}

/** The operation was cancelled in the meantime. */
function isCanceled({ status }: BulkOperation): boolean {
  return status === "CANCELED";
}

export const bulkTypes: Resolvers = {
  QueryRoot: {
    bulkOperation: (_, { id }: { id: string }, { shop }) =>
      shop.api.bulk.find(requireId("BulkOperation", id)) ?? null,
    bulkOperations: (_, __, { shop }) => shop.api.bulk.all(),
  },
  Mutation: {
    stagedUploadsCreate: (_, { input }: MutationStagedUploadsCreateArgs, { shop }) => ({
      stagedTargets: input.map(({ resource, filename, httpMethod }) => {
        if (resource !== "BULK_MUTATION_VARIABLES" || httpMethod !== "POST")
          throw new NotImplemented(`stagedUploadsCreate for ${resource}`);
        const { url, key } = shop.api.bulk.stage(filename);
        return { url, parameters: [{ name: "key", value: key }] };
      }),
      userErrors: [],
    }),
    bulkOperationRunQuery: (_, args: MutationBulkOperationRunQueryArgs, call) => runQuery(call, args),
    bulkOperationRunMutation: (_, args: MutationBulkOperationRunMutationArgs, call) =>
      runMutation(call, args),
  },
};

function refusal(code: string, field: string, message: string) {
  return { bulkOperation: null, userErrors: [{ code, field: [field], message }] };
}

function runQuery(call: Call, { query }: MutationBulkOperationRunQueryArgs) {
  const { bulk } = call.shop.api;
  if (bulk.isBusy("QUERY"))
    return refusal("OPERATION_IN_PROGRESS", "query", "A bulk query operation is already in progress.");
  const problem = queryProblem(query);
  if (problem !== null) return refusal("INVALID", "query", problem);
  const bulkOperation = bulk.start("QUERY", async (operation) => {
    const { data, errors } = await call.runInBulk(query, {});
    if (errors !== undefined) {
      const isDenied = errors.some(({ extensions }) => extensions?.["code"] === "ACCESS_DENIED");
      return { errorCode: isDenied ? "ACCESS_DENIED" : "INTERNAL_SERVER_ERROR" };
    }
    const lines = Object.values(data ?? {}).flatMap((root) => flatten(root, null));
    operation.objects = lines.length;
    // Lines are not grouped by their parent by default: here every child comes before its parent.
    return lines.toReversed().map((line) => JSON.stringify(line));
  });
  return { bulkOperation, userErrors: [] };
}

/** Shopify's rules for bulk queries that developers often violate. */
function queryProblem(query: string): string | null {
  let connections = 0;
  visit(parse(query), {
    Field: ({ selectionSet }) => {
      const names = selectionSet?.selections.map((each) => each.kind === Kind.FIELD && each.name.value) ?? [];
      if (names.includes("edges") || names.includes("nodes")) connections += 1;
    },
  });
  if (connections === 0) return "Bulk queries must contain at least one connection.";
  return connections > 5 ? "Bulk queries cannot contain more than 5 connections." : null;
}

type Line = Record<string, unknown>;

/** The nodes of a connection, each on a line, and after it the nodes of the connections in it. */
function flatten(connection: unknown, parentId: unknown): Line[] {
  return (nodesOf(connection) ?? []).flatMap((node) => {
    const fields = Object.entries(node);
    const nested = fields.filter(([, value]) => nodesOf(value) !== null);
    const line = Object.fromEntries(fields.filter(([, value]) => nodesOf(value) === null));
    return [
      parentId === null ? line : { ...line, __parentId: parentId },
      ...nested.flatMap(([, value]) => flatten(value, node["id"])),
    ];
  });
}

/** Null if it is no connection. */
function nodesOf(value: unknown): Line[] | null {
  if (typeof value !== "object" || value === null) return null;
  if ("nodes" in value && Array.isArray(value.nodes)) return value.nodes as Line[];
  if ("edges" in value && Array.isArray(value.edges))
    return (value.edges as { node: Line }[]).map(({ node }) => node);
  return null;
}

function runMutation(call: Call, { mutation, stagedUploadPath }: MutationBulkOperationRunMutationArgs) {
  const { bulk } = call.shop.api;
  if (bulk.isBusy("MUTATION"))
    return refusal("OPERATION_IN_PROGRESS", "mutation", "A bulk mutation operation is already in progress.");
  const file = bulk.files.get(stagedUploadPath);
  if (file === undefined)
    return refusal("NO_SUCH_FILE", "stagedUploadPath", "The JSONL file could not be found.");
  const bulkOperation = bulk.start("MUTATION", async (operation) => {
    const results: string[] = [];
    for (const [number, text] of file.trim().split("\n").entries()) {
      const answer = await call.runInBulk(mutation, JSON.parse(text) as Line);
      results.push(JSON.stringify({ ...answer, __lineNumber: number }));
      operation.objects += 1;
    }
    // The line's number identifies it; the order of the lines does not.
    return results.toReversed();
  });
  return { bulkOperation, userErrors: [] };
}
