/**
 * CSV files, streamed row by row.
 */
import { Readable, pipeline } from "node:stream";
import { createReadableStreamFromReadable } from "@remix-run/node";
import { stringify } from "csv-stringify";
import { log } from "./log.server.ts";

/** What a spreadsheet would read as a formula is written as text (OWASP, "CSV injection"). */
function escapeFormula(value: string): string {
  return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

/** Answers with a CSV file of `rows`; the first row names the columns. Nothing is held but the row being written. */
export function csvResponse(
  fileName: string,
  columns: string[],
  rows: AsyncIterable<(string | number)[]> | Iterable<(string | number)[]>,
): Response {
  const file = stringify({ header: true, columns, bom: true, cast: { string: escapeFormula } });
  // A failure half-way breaks the connection: half a file must not look like a whole one.
  pipeline(Readable.from(rows), file, (error) => {
    if (error) log.warn({ err: error, fileName }, "export ended early");
  });
  return new Response(createReadableStreamFromReadable(file), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${fileName}"`,
      "cache-control": "no-store",
    },
  });
}
