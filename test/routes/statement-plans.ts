/** What the database sorts for a statement, as its planner says. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Sort Key"?: string[];
  Plans?: PlanNode[];
}
const planNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    "Node Type": z.string(),
    "Relation Name": z.string().optional(),
    "Sort Key": z.array(z.string()).optional(),
    Plans: z.array(planNode).optional(),
  }),
);
const explained = z.tuple([z.object({ "QUERY PLAN": z.tuple([z.object({ Plan: planNode })]) })]);

/**
 * What the statement sorts, as `table: keys`. Sorting is made as dear as can be: what is sorted then, no index has in
 * that order, so a table with a few rows tells of one with a hundred thousand.
 */
export async function sortsOf(statement: string): Promise<string[]> {
  const [, rows] = await db.$transaction([
    db.$executeRawUnsafe(
      "SELECT set_config('enable_sort', 'off', true), set_config('enable_incremental_sort', 'off', true)",
    ),
    db.$queryRawUnsafe(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${statement}`),
  ]);
  const [
    {
      "QUERY PLAN": [{ Plan: plan }],
    },
  ] = explained.parse(rows);
  return within(plan)
    .filter((node) => node["Node Type"].endsWith("Sort"))
    .map((node) => `${tableOf(node)}: ${node["Sort Key"]?.join(", ") ?? ""}`);
}
const within = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(within)];
const tableOf = (node: PlanNode) =>
  within(node).find((each) => each["Relation Name"])?.["Relation Name"] ?? "";
