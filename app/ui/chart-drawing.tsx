import {
  Bar,
  BarChart,
  CartesianGrid,
  LabelList,
  Legend,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";

const colours = ["#005bd3", "#b98900", "#0c5132", "#8e1f0b", "#5700d1"];

/** The text that fits beside a bar on a phone, in two lines. The table and the tooltip have the whole name. */
const LONGEST_NAME = 30;
const LONGEST_WORD = 16;
const cut = (text: string, longest: number) =>
  text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
const shorten = (name: string) =>
  cut(name, LONGEST_NAME)
    .split(" ")
    .map((word) => cut(word, LONGEST_WORD))
    .join(" ");

/** The drawing of a chart. It is the default export because it is loaded lazily. */
export default function ChartDrawing({ rows, series, kind }: ChartData) {
  const data = rows.map(({ label, values }) => ({ label, ...values }));
  const byLabel = new Map(series.map((one) => [one.label, one.format]));
  const write = (value: unknown, name: unknown) =>
    typeof value === "number" ? (byLabel.get(String(name))?.(value) ?? String(value)) : "";
  const first = series.at(0);
  const values = {
    tickLine: false,
    fontSize: 12,
    tickFormatter: (value: number) => first?.format(value) ?? "",
  };
  const words = [
    <Tooltip key="tooltip" formatter={write} isAnimationActive={false} />,
    // One series has the chart's title.
    ...(series.length > 1 ? [<Legend key="legend" />] : []),
  ];
  const overTime = [
    <CartesianGrid key="grid" vertical={false} stroke="#ebebeb" />,
    <XAxis key="x" dataKey="label" tickLine={false} fontSize={12} minTickGap={24} />,
    <YAxis key="y" axisLine={false} width={72} {...values} />,
    ...words,
  ];
  const bars = series.map(({ key, label, format }, index) => (
    <Bar
      key={key}
      dataKey={key}
      name={label}
      fill={colours[index % colours.length]}
      maxBarSize={24}
      isAnimationActive={false}
    >
      {kind === "bars" && (
        <LabelList
          dataKey={key}
          position="right"
          fontSize={12}
          formatter={(value: unknown) => (typeof value === "number" ? format(value) : "")}
        />
      )}
    </Bar>
  ));
  // Screen readers skip the chart (chart.tsx), so nothing in it may take the keyboard's focus.
  return (
    <ResponsiveContainer width="100%" height="100%">
      {kind === "lines" ? (
        <LineChart data={data} accessibilityLayer={false}>
          {overTime}
          {series.map(({ key, label }, index) => (
            <Line
              key={key}
              dataKey={key}
              name={label}
              stroke={colours[index % colours.length]}
              strokeWidth={2}
              dot={rows.length < 2}
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      ) : kind === "columns" ? (
        <BarChart data={data} accessibilityLayer={false}>
          {overTime}
          {bars}
        </BarChart>
      ) : (
        <BarChart data={data} layout="vertical" margin={{ right: 64 }} accessibilityLayer={false}>
          <CartesianGrid horizontal={false} stroke="#ebebeb" />
          <XAxis type="number" {...values} />
          <YAxis
            type="category"
            dataKey="label"
            width={124}
            interval={0}
            tickLine={false}
            fontSize={12}
            tickFormatter={shorten}
          />
          {words}
          {bars}
        </BarChart>
      )}
    </ResponsiveContainer>
  );
}

/** The data of a chart: rows, with a value of each series per row. */
export interface ChartData {
  /** `lines` and `columns`: time, along the x axis; `bars`: named things, one below the other */
  kind: "lines" | "columns" | "bars";
  rows: { id?: string; label: string; values: Partial<Record<string, number>> }[];
  series: {
    key: string;
    label: string;
    /** how a value is written, in the tooltip and in the table */
    format: (value: number) => string;
    /** shown in the table alone */
    tableOnly?: boolean;
    /** not shown in the table of a phone, which is too narrow */
    wideOnly?: boolean;
  }[];
}
