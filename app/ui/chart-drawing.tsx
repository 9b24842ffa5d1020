import {
  Bar,
  BarChart,
  CartesianGrid,
  Legend,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import type { ChartData } from "./chart-data.ts";

const colours = ["#005bd3", "#b98900", "#0c5132", "#8e1f0b", "#5700d1"];

/** The drawing of a chart; the default export because it is loaded on its own. */
export default function ChartDrawing({ rows, series, kind }: ChartData) {
  const data = rows.map(({ label, values }) => ({ label, ...values }));
  const byLabel = new Map(series.map((one) => [one.label, one.format]));
  const write = (value: unknown, name: unknown) =>
    typeof value === "number" ? (byLabel.get(String(name))?.(value) ?? String(value)) : "";
  const first = series.at(0);
  const shared = [
    <CartesianGrid key="grid" vertical={false} stroke="#ebebeb" />,
    <XAxis key="x" dataKey="label" tickLine={false} fontSize={12} minTickGap={24} />,
    <YAxis
      key="y"
      tickLine={false}
      axisLine={false}
      fontSize={12}
      width={72}
      tickFormatter={(value: number) => first?.format(value) ?? ""}
    />,
    <Tooltip key="tooltip" formatter={write} isAnimationActive={false} />,
    <Legend key="legend" />,
  ];
  // The chart is hidden from screen readers (chart.tsx), so nothing in it may take the keyboard's focus.
  return (
    <ResponsiveContainer width="100%" height="100%">
      {kind === "lines" ? (
        <LineChart data={data} accessibilityLayer={false}>
          {shared}
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
      ) : (
        <BarChart data={data} accessibilityLayer={false}>
          {shared}
          {series.map(({ key, label }, index) => (
            <Bar
              key={key}
              dataKey={key}
              name={label}
              fill={colours[index % colours.length]}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      )}
    </ResponsiveContainer>
  );
}
