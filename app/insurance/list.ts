/** Lists of the insurer, page after page. Rows that cannot be read are left out and counted, or refuse the list. */
import type { z } from "zod";
import { NotFound, Rejected, UnreadableResponse } from "./errors.ts";
import { findNextPage, type NextPage, sayPages } from "./pages.ts";
import type { ApiRequest, Send } from "./request.ts";
import { explainIssue, findRows, otherWork, type Read } from "./response.ts";

/** Rows that are parsed at once, some milliseconds. */
const SLICE_ROWS = 200;
/** 25 rows a page, as the analytics have by default, are 100,000 rows. */
const MAX_PAGES = 4_000;

export interface UnreadableRows {
  /** rows of the list, with those that cannot be read */
  total: number;
  count: number;
  /** why, without values: "currency_code is missing"; the most frequent first */
  reasons: string[];
}

export interface Listed<T> {
  items: T[];
  /** null: every row can be read */
  unreadable: UnreadableRows | null;
}

interface ListOptions<T extends z.ZodType> {
  schema: T;
  /** the resource's own name, in the plural */
  name: string;
  /** the name in the singular: one object outside of a list is a list of one, an empty object an empty list */
  single?: string;
  maxItems?: number;
  /** a row that cannot be read refuses the whole list: its caller concludes from what is missing in it */
  isStrict: boolean;
}

type ListRequest = Omit<ApiRequest<unknown>, "read">;

/** @throws InsuranceError; UnreadableResponse where the list cannot be read to its end */
export async function readWholeList<T extends z.ZodType>(
  send: Send,
  request: ListRequest,
  options: ListOptions<T>,
): Promise<Listed<z.output<T>>> {
  const { name, maxItems = Infinity } = options;
  const items: z.output<T>[] = [];
  const reasons = new Map<string, number>();
  const seen = new Set<string>();
  let total = 0;
  /** the greatest that a page said; 0: unknown */
  let saidTotal = 0;
  let next: NextPage | null = null;
  for (let page = 1; ; page += 1) {
    const previous: NextPage | null = next;
    const read: Read<Page<T>> = async (body, refuse, headers) => {
      const received = findRows(body, options);
      if (received === null) return refuse(`no list of ${name} in it`, null);
      const rows = page === 1 ? received : received.filter((row) => !seen.has(keyOf(row)));
      const isRepeated = rows.length === 0 && received.length > 0;
      if (isRepeated && previous?.isSaid === true) return refuse(`one page of several ${name}`, null);
      if (total + rows.length > maxItems) return refuse(`more than ${maxItems} ${name}`, null);
      const said = sayPages(body, headers);
      const isEnd = page > 1 && rows.length === 0;
      const following = isEnd
        ? null
        : findNextPage(said, received.length, total + rows.length, page, previous);
      if (isEnd && Math.max(saidTotal, said.total) > total)
        return refuse(`one page of several ${name}`, null);
      if (following !== null && page === MAX_PAGES) return refuse(`more than ${MAX_PAGES} pages`, null);
      const parsed = await parseRows(options, rows, refuse);
      return { rows, parsed, next: following, saidTotal: said.total };
    };
    const result: Page<T> | null = await readPage(send, request, previous, name, read);
    if (result === null) break;
    for (const row of result.next === null && page === 1 ? [] : result.rows) seen.add(keyOf(row));
    total += result.rows.length;
    saidTotal = Math.max(saidTotal, result.saidTotal);
    items.push(...result.parsed.items);
    for (const [reason, count] of result.parsed.reasons)
      reasons.set(reason, (reasons.get(reason) ?? 0) + count);
    next = result.next;
    if (next === null) break;
  }
  return { items, unreadable: describeUnreadable(total, items.length, reasons) };
}

/** Null: there is no such page, and nothing had said that there is one. */
async function readPage<T>(
  send: Send,
  request: ListRequest,
  page: NextPage | null,
  name: string,
  read: Read<T>,
): Promise<T | null> {
  const { isSaid = true, link, query } = page ?? {};
  try {
    return await send({ ...request, link, query: { ...request.query, ...query }, read });
  } catch (error) {
    if (page === null || !(error instanceof NotFound || error instanceof Rejected)) throw error;
    if (!isSaid) return null;
    throw new UnreadableResponse("unexpected", `one page of several ${name}: ${error.reason}`, null, error);
  }
}

interface Page<T extends z.ZodType> {
  /** without those of earlier pages: a new row shifts all others */
  rows: unknown[];
  parsed: ParsedRows<T>;
  next: NextPage | null;
  saidTotal: number;
}

interface ParsedRows<T extends z.ZodType> {
  items: z.output<T>[];
  reasons: Map<string, number>;
}

async function parseRows<T extends z.ZodType>(
  { schema, isStrict }: Pick<ListOptions<T>, "schema" | "isStrict">,
  rows: readonly unknown[],
  refuse: (reason: string, field: string | null) => never,
): Promise<ParsedRows<T>> {
  const parsed: ParsedRows<T> = { items: [], reasons: new Map() };
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % SLICE_ROWS === 0) await otherWork();
    const result = schema.safeParse(row);
    if (result.success) parsed.items.push(result.data);
    else if (isStrict) {
      const { reason, field } = explainIssue(result.error, row, `[${index}]`);
      refuse(reason, field);
    } else {
      const { reason } = explainIssue(result.error, row, "");
      parsed.reasons.set(reason, (parsed.reasons.get(reason) ?? 0) + 1);
    }
  }
  return parsed;
}

function describeUnreadable(
  total: number,
  readable: number,
  counts: ReadonlyMap<string, number>,
): UnreadableRows | null {
  if (counts.size === 0) return null;
  const reasons = [...counts].sort(([, a], [, b]) => b - a).map(([reason]) => reason);
  return { total, count: total - readable, reasons: reasons.slice(0, 3) };
}

/** "2 of 90 offers cannot be read: currency_code is missing", for logs and for the problems of a run. */
export const describeRows = (name: string, { total, count, reasons }: UnreadableRows): string =>
  `${count} of ${total} ${name} cannot be read: ${reasons.join("; ")}`;

/** What tells a row from another. A row without an id is itself. */
function keyOf(row: unknown): string {
  const id = typeof row === "object" && row !== null && "id" in row ? row.id : undefined;
  return typeof id === "string" || typeof id === "number" ? String(id) : JSON.stringify(row);
}
