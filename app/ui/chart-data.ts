/** What a chart shows: rows along the x axis, a value of each series per row. */
export interface ChartData {
  kind: "lines" | "bars";
  rows: { id?: string; label: string; values: Partial<Record<string, number>> }[];
  series: {
    key: string;
    label: string;
    /** how a value is written, in the tooltip and in the table */
    format: (value: number) => string;
    /** only in the table beside the chart */
    tableOnly?: boolean;
  }[];
}
