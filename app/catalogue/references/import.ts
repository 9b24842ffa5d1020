/** Reads a file of references: CSV or JSON with the columns of the Offer resource (spec, "Offer"). */
import { CsvError, parse } from "csv-parse/sync";
import { z } from "zod";
import type { Category } from "#app/insurance/categories.ts";
import { offerColumns, wireOffer } from "#app/insurance/offers.ts";
import { referenceFromOffer } from "./reference.ts";
import type { Reference } from "./reference.ts";
import { excerpt, storableJson, storableText } from "#app/platform/storable-text.ts";

export interface LineError {
  /** of the file for CSV, of the list for JSON, from 1; null where the file as a whole cannot be read */
  line: number | null;
  /** the column at fault, where there is one */
  field: string | null;
  problem: "unreadable" | "missing" | "malformed" | "duplicate" | "too_many" | "too_many_categories";
  /**
   * `unreadable`: why, an `UnreadableReason`; `malformed`: what was given; `duplicate`: the reference and its first line;
   * `too_many`, `too_many_categories`: the limit
   */
  detail: string;
}

/** Why a file or a line cannot be read; pages have words for each. */
type UnreadableReason = "json" | "list" | "columns" | "quotes" | "text";

export interface ParsedFile {
  references: Reference[];
  /** the categories that the file describes, those without texts included */
  categories: Category[];
  errors: LineError[];
}

const MAX_LINES = 5_000;
/** A quoted text may go over several lines; a line that cannot be read costs 25 µs. */
const MAX_LINE_BREAKS = 3 * MAX_LINES;
/** A header with thousands of columns would cost each line as much. */
const MAX_HEADER_LENGTH = 10_000;
/** Each becomes a product of the shop. */
const MAX_CATEGORIES = 500;

/** Nothing is thrown for a bad file: the result has its errors, line by line. */
export function parseReferences(given: string): ParsedFile {
  const text = storableText(given);
  const result: ParsedFile = { references: [], categories: [], errors: [] };
  const rows = /^\s*[[{]/.test(text) ? jsonRows(text) : csvRows(text, result.errors);
  if (!Array.isArray(rows)) return { ...result, errors: [rows] };
  const lines = new Map<string, number>();
  const categories = new Map<string, Category>();
  for (const { line, value } of rows) {
    const read = wireOffer.safeParse(withCategory(value));
    if (!read.success) {
      result.errors.push(...read.error.issues.slice(0, 3).map((issue) => lineError(line, value, issue)));
      continue;
    }
    const { referenceId, category } = read.data;
    const firstLine = lines.get(referenceId);
    if (firstLine !== undefined) {
      const detail = `${referenceId}: ${firstLine}`;
      result.errors.push({ line, field: offerColumns.referenceId, problem: "duplicate", detail });
      continue;
    }
    lines.set(referenceId, line);
    result.references.push(referenceFromOffer(read.data));
    const known = categories.get(category.id);
    if (!known && categories.size === MAX_CATEGORIES) {
      const detail = String(MAX_CATEGORIES);
      const field = offerColumns.categoryId;
      return { ...result, errors: [{ line, field, problem: "too_many_categories", detail }] };
    }
    if (!known || (isEmpty(known) && !isEmpty(category))) categories.set(category.id, category);
  }
  return { ...result, categories: [...categories.values()] };
}

interface Row {
  line: number;
  value: unknown;
}

const csvRecords = z.array(
  z.object({ record: z.record(z.string(), z.string()), info: z.object({ lines: z.number() }) }),
);

/**
 * Comma, semicolon or tab, whichever the header has most of; a column of the category object has its path as its
 * name, with points. A line with too few or too many columns is an error of that line.
 */
function csvRows(text: string, errors: LineError[]): Row[] | LineError {
  const lines = text.split("\n", MAX_LINE_BREAKS + 1);
  if (lines.length > MAX_LINE_BREAKS) return tooMany();
  if (lines.some((line, index) => index < 5 && line.length > MAX_HEADER_LENGTH))
    return unreadableFile("columns");
  try {
    const records = csvRecords.parse(
      parse(text, {
        bom: true,
        columns: (header: string[]) => header.map((name) => name.trim()),
        delimiter: delimiterOf(text),
        info: true,
        skip_empty_lines: true,
        trim: true,
        to: MAX_LINES + 1,
        skip_records_with_error: true,
        on_skip: (error) => {
          if (error) errors.push(unreadable(error));
        },
      }),
    );
    if (records.length > MAX_LINES) return tooMany();
    return records.map(({ record, info }) => ({ line: info.lines, value: nested(record) }));
  } catch (error) {
    if (error instanceof CsvError) return unreadable(error);
    throw error;
  }
}

function delimiterOf(text: string): string {
  const [header = ""] = text.split("\n", 1);
  const counted = [",", ";", "\t"].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  return counted.reduce((most, each) => (each.count > most.count ? each : most)).delimiter;
}

function unreadable(error: CsvError): LineError {
  const line = typeof error["lines"] === "number" ? error["lines"] : null;
  const detail: UnreadableReason = error.code.includes("COLUMNS")
    ? "columns"
    : error.code.includes("QUOTE")
      ? "quotes"
      : "text";
  return { line, field: null, problem: "unreadable", detail };
}

function nested(record: Record<string, string>): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const [path, text] of Object.entries(record)) {
    if (text === "") continue;
    const keys = path.split(".");
    const last = keys.pop() ?? "";
    let at = value;
    for (const key of keys) {
      const next = Object.hasOwn(at, key) ? at[key] : undefined;
      const inner = isRecord(next) ? next : {};
      at[key] = inner;
      at = inner;
    }
    at[last] =
      offerColumns.integers.includes(path) && /^-?\d{1,15}$/.test(text)
        ? Number(text)
        : last === offerColumns.list
          ? text.split("|")
          : text;
  }
  return value;
}

function jsonRows(text: string): Row[] | LineError {
  let given: unknown;
  try {
    given = JSON.parse(storableJson(text));
  } catch {
    return unreadableFile("json");
  }
  const list = isRecord(given) ? given["offers"] : given;
  if (!Array.isArray(list)) return unreadableFile("list");
  return list.length > MAX_LINES
    ? tooMany()
    : list.map((value: unknown, index) => ({ line: index + 1, value }));
}

function unreadableFile(detail: UnreadableReason): LineError {
  return { line: null, field: null, problem: "unreadable", detail };
}

function tooMany(): LineError {
  return { line: null, field: null, problem: "too_many", detail: String(MAX_LINES) };
}

/** The category object may be left out: then only the category's name is known. */
function withCategory(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const category = isRecord(value["category"]) ? value["category"] : {};
  return { ...value, category: { id: value[offerColumns.categoryId], ...category } };
}

function lineError(line: number, value: unknown, issue: z.core.$ZodIssue): LineError {
  const field = issue.path.join(".");
  const given = isRecord(value) ? value[String(issue.path[0] ?? "")] : undefined;
  return {
    line,
    field: field === "" ? null : field,
    problem: given === undefined ? "missing" : "malformed",
    detail: given === undefined ? "" : excerpt(asText(given), 60),
  };
}

/** The value as text, so that the merchant finds it in the file. */
function asText(given: unknown): string {
  if (typeof given === "string") return given;
  try {
    return JSON.stringify(given);
  } catch (error) {
    // Lists in lists without end have none.
    if (error instanceof RangeError) return "[…]";
    throw error;
  }
}

function isEmpty({ legal }: Category): boolean {
  return legal.conditionsUrl === "" && legal.ipidUrl === "";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
