/** What the database sorts for a statement, and which conditions it checks on every row, by its query plan. */
import { z } from "zod";
import { db } from "#app/platform/db.server.ts";

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Sort Key"?: string[];
  Filter?: string;
  Plans?: PlanNode[];
}
const planNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    "Node Type": z.string(),
    "Relation Name": z.string().optional(),
    "Sort Key": z.array(z.string()).optional(),
    Filter: z.string().optional(),
    Plans: z.array(planNode).optional(),
  }),
);
const explained = z.tuple([z.object({ "QUERY PLAN": z.tuple([z.object({ Plan: planNode })]) })]);

/**
 * The sorts of the statement, as `table: keys`. The planner gets the highest cost for sorting: a remaining sort has no
 * index. So a small table shows the plan of a table of a hundred thousand rows.
 */
export async function sortsOf(statement: string): Promise<string[]> {
  const nodes = await planOf(statement, ["enable_sort", "enable_incremental_sort"]);
  return nodes
    .filter((node) => node["Node Type"].endsWith("Sort"))
    .map((node) => `${tableOf(node)}: ${node["Sort Key"]?.join(", ") ?? ""}`);
}

/** Alternatives (OR) that the database checks row by row, because no index supports them. */
export async function alternativesOf(statement: string): Promise<string[]> {
  const nodes = await planOf(statement, ["enable_seqscan"]);
  return nodes.flatMap(({ Filter: filter }) => (filter?.includes(" OR ") ? [filter] : []));
}

/** The nodes of the statement's plan, with these settings off. */
async function planOf(statement: string, off: string[]): Promise<PlanNode[]> {
  const [, rows] = await db.$transaction([
    db.$executeRawUnsafe(`SELECT ${off.map((each) => `set_config('${each}', 'off', true)`).join(", ")}`),
    db.$queryRawUnsafe(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${statement}`),
  ]);
  const [
    {
      "QUERY PLAN": [{ Plan: plan }],
    },
  ] = explained.parse(rows);
  return within(plan);
}
const within = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(within)];
const tableOf = (node: PlanNode) =>
  within(node).find((each) => each["Relation Name"])?.["Relation Name"] ?? "";
