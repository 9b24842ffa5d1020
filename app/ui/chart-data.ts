/** What a chart shows: rows, a value of each series per row. */
export interface ChartData {
  /** `lines` and `columns`: time, along the x axis; `bars`: things, one below the other, each with its name */
  kind: "lines" | "columns" | "bars";
  rows: { id?: string; label: string; values: Partial<Record<string, number>> }[];
  series: {
    key: string;
    label: string;
    /** how a value is written, in the tooltip and in the table */
    format: (value: number) => string;
    /** only in the table beside the chart */
    tableOnly?: boolean;
    /** not in the table of a phone, which has no room for all */
    wideOnly?: boolean;
  }[];
}
