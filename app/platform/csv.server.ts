/**
 * CSV files, streamed row by row.
 */
import { Readable, pipeline } from "node:stream";
import { createReadableStreamFromReadable } from "@remix-run/node";
import { stringify } from "csv-stringify";
import { escapeFormulas } from "./formulas.ts";
import { log } from "./log.server.ts";

/** Streams a CSV file with a row for each item. @param columns their names, and how a cell is read from an item */
export function csvTable<Item>(
  fileName: string,
  columns: Record<string, (item: Item) => string>,
  items: AsyncIterable<Item>,
): Response {
  const cells = Object.values(columns);
  const rows = async function* () {
    for await (const item of items) yield cells.map((cell) => cell(item));
  };
  return csvResponse(fileName, Object.keys(columns), rows());
}

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
    },
  });
}
