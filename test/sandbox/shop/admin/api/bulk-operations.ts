/** The bulk operations of a shop: what runs, what is done, and their files. */
import { randomUUID } from "node:crypto";
import { nextId } from "../../ids.ts";
import type { ShopState } from "../../state.ts";

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

/** Limit of concurrent operations of an app on a shop, of each type (API 2026-01 and later). */
const atOnce = 5;

export class BulkOperations {
  readonly #state: ShopState;
  readonly #origin: () => string;
  readonly #operations = new Map<string, BulkOperation>();
  /** Operations that take long now, as large ones do. */
  readonly #held = new Map<BulkOperation["type"], Promise<void>>();
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

  /**
   * Operations of this type stay RUNNING until the returned function is called, as large ones do for minutes. What a
   * query found is as old as its beginning; a mutation writes at the end.
   */
  hold(type: BulkOperation["type"]): () => void {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    this.#held.set(type, held);
    return () => {
      this.#held.delete(type);
      release();
    };
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
      if (operation.type === "MUTATION") await this.#held.get("MUTATION");
      if (this.#isCanceled(operation)) return;
      const lines = await work(operation);
      if (operation.type === "QUERY") await this.#held.get("QUERY");
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

export class BulkFailed extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
