/**
 * Bulk operations: a query whose lists are whole, or a mutation once per line of an uploaded JSONL file. Results are a
 * JSONL file to download; nested lists become lines of their own with `__parentId`.
 */
import { parse, Kind, visit } from "graphql";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { gid, nextId, parseGid } from "../../ids.ts";
import type { ShopState } from "../../state.ts";
import { NotImplemented } from "./errors.ts";
import type { Reader } from "./reader.ts";
import type { View } from "./view.ts";

export interface BulkOperation {
  id: string;
  type: "QUERY" | "MUTATION";
  status: "CREATED" | "RUNNING" | "COMPLETED" | "CANCELED" | "FAILED";
  document: string;
  createdAt: string;
  completedAt: string | null;
  objects: number;
  roots: number;
  errorCode: string | null;
  url: string | null;
}

/** An app may run so many at a time on a shop, of each type (API 2026-01 and later). */
const atOnce = 5;

export class BulkOperations {
  readonly #state: ShopState;
  readonly #origin: () => string;
  readonly #operations = new Map<string, BulkOperation>();
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

  /** A place to upload to; the key is what `stagedUploadPath` names. */
  stage(filename: string): { url: string; key: string } {
    return {
      url: `${this.#origin()}/sandbox-uploads`,
      key: `tmp/${this.#state.id}/bulk/${randomUUID()}/${filename}`,
    };
  }

  busy(type: BulkOperation["type"]): boolean {
    return (
      this.all().filter(
        (each) => each.type === type && (each.status === "CREATED" || each.status === "RUNNING"),
      ).length >= atOnce
    );
  }

  /** Runs after the answer; `work` gives the lines of the result. */
  start(
    type: BulkOperation["type"],
    document: string,
    work: (operation: BulkOperation) => Promise<string[]>,
  ): BulkOperation {
    const operation: BulkOperation = {
      id: nextId(this.#state, "operation"),
      type,
      status: "CREATED",
      document,
      createdAt: new Date().toISOString(),
      completedAt: null,
      objects: 0,
      roots: 0,
      errorCode: null,
      url: null,
    };
    this.#operations.set(operation.id, operation);
    setImmediate(() => void this.#run(operation, work));
    return operation;
  }

  async #run(operation: BulkOperation, work: (operation: BulkOperation) => Promise<string[]>): Promise<void> {
    if (operation.status !== "CREATED") return;
    operation.status = "RUNNING";
    try {
      const lines = await work(operation);
      if (this.#isCanceled(operation)) return;
      const key = `results/${operation.id}.jsonl`;
      this.files.set(key, lines.map((line) => `${line}\n`).join(""));
      operation.status = "COMPLETED";
      // No result, no file.
      operation.url = lines.length === 0 ? null : `${this.#origin()}/sandbox-files/${key}`;
    } catch (error) {
      operation.status = "FAILED";
      operation.errorCode = error instanceof BulkFailed ? error.code : "INTERNAL_SERVER_ERROR";
      if (!(error instanceof BulkFailed)) console.error(`bulk operation ${operation.id}:`, error);
    }
    operation.completedAt = new Date().toISOString();
  }

  /** A cancellation can come while the work waits. */
  #isCanceled(operation: BulkOperation): boolean {
    return operation.status === "CANCELED";
  }
}

class BulkFailed extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export function bulkOperationView(operation: BulkOperation): View {
  return {
    __typename: "BulkOperation",
    id: gid("BulkOperation", operation.id),
    type: operation.type,
    status: operation.status,
    query: operation.document,
    createdAt: operation.createdAt,
    completedAt: operation.completedAt,
    objectCount: `${operation.objects}`,
    rootObjectCount: `${operation.roots}`,
    errorCode: operation.errorCode,
    url: operation.url,
    partialDataUrl: null,
    fileSize: null,
  };
}

const queryArguments = z.object({ query: z.string(), groupObjects: z.boolean().nullish() });

export function runQueryInBulk(read: Reader, args: unknown): View {
  const { query, groupObjects } = queryArguments.parse(args);
  if (groupObjects === true) throw new NotImplemented("bulkOperationRunQuery(groupObjects: true)");
  const refuse = (code: string, message: string): View => ({
    __typename: "BulkOperationRunQueryPayload",
    bulkOperation: null,
    userErrors: [{ __typename: "BulkOperationUserError", code, field: ["query"], message }],
  });
  if (read.bulk.busy("QUERY"))
    return refuse(
      "OPERATION_IN_PROGRESS",
      "A bulk query operation for this app and shop is already in progress.",
    );
  const problem = queryProblem(query);
  if (problem !== null) return refuse("INVALID", problem);
  const operation = read.bulk.start("QUERY", query, async (running) => {
    const answer = await read.run(query, {});
    if (answer.errors !== undefined)
      throw new BulkFailed(
        answer.errors.some(({ extensions }) => extensions?.["code"] === "ACCESS_DENIED")
          ? "ACCESS_DENIED"
          : "INTERNAL_SERVER_ERROR",
      );
    const lines = Object.values(answer.data ?? {}).flatMap((root) => flatten(root, null));
    running.objects = lines.length;
    running.roots = lines.filter((line) => !("__parentId" in line)).length;
    return lines.map((line) => JSON.stringify(line));
  });
  return {
    __typename: "BulkOperationRunQueryPayload",
    bulkOperation: bulkOperationView(operation),
    userErrors: [],
  };
}

/** The platform's rules for bulk queries that people run into. */
function queryProblem(query: string): string | null {
  let connections = 0;
  let lists = 0;
  try {
    visit(parse(query), {
      Field: (node) => {
        if (
          node.selectionSet?.selections.some(
            (child) =>
              child.kind === Kind.FIELD && (child.name.value === "edges" || child.name.value === "nodes"),
          ) === true
        )
          connections += 1;
        if (node.name.value === "nodes" || node.name.value === "node") lists += node.arguments?.length ?? 0;
      },
    });
  } catch (error) {
    return `Invalid bulk query: ${error instanceof Error ? error.message : ""}`;
  }
  if (connections === 0) return "Bulk queries must contain at least one connection.";
  if (connections > 5) return "Bulk queries cannot contain more than 5 connections.";
  return lists > 0 ? "Bulk queries cannot contain a top level `node` or `nodes` field." : null;
}

type Line = Record<string, unknown>;

/** The nodes of a connection, each on a line, and after it the nodes of the connections in it. */
function flatten(value: unknown, parentId: string | null): Line[] {
  return nodesOf(value).flatMap((node) => {
    const own: Line = {};
    const nested: unknown[] = [];
    for (const [key, field] of Object.entries(node)) {
      if (isConnection(field)) nested.push(field);
      else own[key] = field;
    }
    const id = typeof own["id"] === "string" ? own["id"] : null;
    const line = parentId === null ? own : { ...own, __parentId: parentId };
    return [line, ...nested.flatMap((each) => flatten(each, id))];
  });
}

function nodesOf(value: unknown): Line[] {
  if (typeof value !== "object" || value === null) return [];
  if ("edges" in value && Array.isArray(value.edges))
    return value.edges.map((edge: { node: Line }) => edge.node);
  if ("nodes" in value && Array.isArray(value.nodes)) return value.nodes as Line[];
  return [];
}

function isConnection(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    (("edges" in value && Array.isArray(value.edges)) || ("nodes" in value && Array.isArray(value.nodes)))
  );
}

const mutationArguments = z.object({
  mutation: z.string(),
  stagedUploadPath: z.string(),
  clientIdentifier: z.string().nullish(),
  groupObjects: z.boolean().nullish(),
});
const variables = z.record(z.string(), z.unknown());

export function runMutationInBulk(read: Reader, args: unknown): View {
  const { mutation, stagedUploadPath } = mutationArguments.parse(args);
  const refuse = (code: string, field: string, message: string): View => ({
    __typename: "BulkOperationRunMutationPayload",
    bulkOperation: null,
    userErrors: [{ __typename: "BulkMutationUserError", code, field: [field], message }],
  });
  if (read.bulk.busy("MUTATION"))
    return refuse(
      "OPERATION_IN_PROGRESS",
      "mutation",
      "A bulk mutation operation for this app and shop is already in progress.",
    );
  const file = read.bulk.files.get(stagedUploadPath);
  if (file === undefined)
    return refuse(
      "NO_SUCH_FILE",
      "stagedUploadPath",
      "The JSONL file could not be found. Try uploading the file again, and check that you've entered the URL correctly for the stagedUploadPath mutation argument.",
    );
  const operation = read.bulk.start("MUTATION", mutation, async (running) => {
    const results: string[] = [];
    for (const [number, text] of file
      .split("\n")
      .filter((line) => line.trim() !== "")
      .entries()) {
      const answer = await read.run(mutation, variables.parse(JSON.parse(text)));
      results.push(JSON.stringify({ ...answer, __lineNumber: number }));
      running.objects += 1;
      running.roots += 1;
    }
    return results;
  });
  return {
    __typename: "BulkOperationRunMutationPayload",
    bulkOperation: bulkOperationView(operation),
    userErrors: [],
  };
}

export function bulkOperationCancel(read: Reader, args: unknown): View {
  const operation = read.bulk.find(parseGid(z.object({ id: z.string() }).parse(args).id)?.id ?? "");
  const running = operation?.status === "CREATED" || operation?.status === "RUNNING";
  if (operation !== undefined && running) {
    operation.status = "CANCELED";
    operation.completedAt = new Date().toISOString();
  }
  return {
    __typename: "BulkOperationCancelPayload",
    bulkOperation: operation === undefined ? null : bulkOperationView(operation),
    userErrors: running
      ? []
      : [
          {
            __typename: "UserError",
            field: ["id"],
            message:
              operation === undefined
                ? "Bulk operation does not exist"
                : `A bulk operation cannot be canceled when it is ${operation.status.toLowerCase()}`,
          },
        ],
  };
}

const stageArguments = z.object({
  input: z.array(
    z.object({
      resource: z.string(),
      filename: z.string(),
      mimeType: z.string(),
      httpMethod: z.string().nullish(),
    }),
  ),
});

export function stagedUploadsCreate(read: Reader, args: unknown): View {
  const { input } = stageArguments.parse(args);
  return {
    __typename: "StagedUploadsCreatePayload",
    stagedTargets: input.map(({ resource, filename, mimeType, httpMethod }) => {
      if (resource !== "BULK_MUTATION_VARIABLES" || httpMethod !== "POST")
        throw new NotImplemented(`stagedUploadsCreate for ${resource} by ${httpMethod ?? "PUT"}`);
      const { url, key } = read.bulk.stage(filename);
      const parameters = Object.entries({
        key,
        "Content-Type": mimeType,
        success_action_status: "201",
        acl: "private",
      });
      return {
        __typename: "StagedMediaUploadTarget",
        url,
        resourceUrl: null,
        parameters: parameters.map(([name, value]) => ({ __typename: "StagedUploadParameter", name, value })),
      };
    }),
    userErrors: [],
  };
}
