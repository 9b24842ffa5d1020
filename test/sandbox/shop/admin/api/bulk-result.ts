/** From the answer of a bulk query to the lines of its file. */

type Line = Record<string, unknown>;

/** The nodes of a connection, each on a line, and after it the nodes of the connections in it. */
export function flatten(value: unknown, parentId: string | null): Line[] {
  return nodesOf(value).flatMap((node) => {
    const own: Line = {};
    const nested: unknown[] = [];
    for (const [key, field] of Object.entries(node)) {
      if (isConnection(field)) nested.push(field);
      else own[key] = field;
    }
    const id = typeof own["id"] === "string" ? own["id"] : null;
    const line = parentId === null ? own : { ...own, __parentId: parentId };
    return [line, ...nested.flatMap((each) => flatten(each, id))];
  });
}

function nodesOf(value: unknown): Line[] {
  if (typeof value !== "object" || value === null) return [];
  if ("edges" in value && Array.isArray(value.edges))
    return value.edges.map((edge: { node: Line }) => edge.node);
  if ("nodes" in value && Array.isArray(value.nodes)) return value.nodes as Line[];
  return [];
}

function isConnection(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    (("edges" in value && Array.isArray(value.edges)) || ("nodes" in value && Array.isArray(value.nodes)))
  );
}
