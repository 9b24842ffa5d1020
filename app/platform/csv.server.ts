/**
 * CSV files, streamed row by row.
 */
import { Readable, pipeline } from "node:stream";
import { createReadableStreamFromReadable } from "@remix-run/node";
import { stringify } from "csv-stringify";
import { escapeFormulas } from "./formulas.ts";
import { log } from "./log.server.ts";

/** Streams `rows` as a CSV file whose first row names the columns. */
export function csvResponse(
  fileName: string,
  columns: string[],
  rows: AsyncIterable<(string | number)[]> | Iterable<(string | number)[]>,
): Response {
  const file = stringify({ header: true, columns, bom: true, cast: { string: escapeFormulas } });
  // An error breaks the connection: half a file must not look complete.
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
