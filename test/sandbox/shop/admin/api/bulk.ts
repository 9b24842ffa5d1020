/**
 * Bulk operations: a query whose lists are whole, or a mutation once per line of an uploaded JSONL file. Results are a
 * JSONL file to download; nested lists become lines of their own with `__parentId`.
 */
import { parse, Kind, visit } from "graphql";
import { z } from "zod";
import { gid, parseGid } from "../../ids.ts";
import { NotImplemented } from "./errors.ts";
import type { Reader } from "./reader.ts";
import type { View } from "./view.ts";
import { BulkFailed } from "./bulk-operations.ts";
import type { BulkOperation } from "./bulk-operations.ts";
import { flatten } from "./bulk-result.ts";

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
    // Lines are not grouped by their parent by default: here every child comes before its parent.
    return lines.toReversed().map((line) => JSON.stringify(line));
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
    // The line's number says which it is; the order does not.
    return results.toReversed();
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
