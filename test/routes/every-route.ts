/** Every route module of the app, found by its file, so that tests over all routes include new ones. */
export type Handler = (args: {
  request: Request;
  params: Record<string, string>;
  context: Record<string, unknown>;
}) => unknown;

interface RouteModule {
  /** `app.orders.$orderId` */
  id: string;
  loader: Handler | null;
  action: Handler | null;
  /** the names of all its exports */
  exported: string[];
}

function isHandler(value: unknown): value is Handler {
  return typeof value === "function";
}

const files = import.meta.glob<Record<string, unknown>>([
  "/app/routes/*.{ts,tsx}",
  "/app/routes/*/route.{ts,tsx}",
]);

export const routes: RouteModule[] = await Promise.all(
  Object.entries(files).map(async ([file, load]) => {
    const module = await load();
    const { loader, action } = module;
    return {
      id: file.replace("/app/routes/", "").replace(/(\/route)?\.tsx?$/, ""),
      loader: isHandler(loader) ? loader : null,
      action: isHandler(action) ? action : null,
      exported: Object.keys(module),
    };
  }),
);

/** A loader or an action. */
export interface Endpoint {
  /** `app.tasks._index action` */
  name: string;
  id: string;
  kind: "loader" | "action";
  handler: Handler;
}

const everyEndpoint: Endpoint[] = routes.flatMap(({ id, loader, action }) => [
  ...(loader === null ? [] : [{ name: `${id} loader`, id, kind: "loader" as const, handler: loader }]),
  ...(action === null ? [] : [{ name: `${id} action`, id, kind: "action" as const, handler: action }]),
]);

/** The admin's handlers. */
export const endpoints = everyEndpoint.filter(({ id }) => id === "app" || id.startsWith("app."));

/** The handlers that shoppers reach through the shop. */
export const proxyEndpoints = everyEndpoint.filter(({ id }) => id.startsWith("proxy."));

/**
 * The parameters of a route's path: `orderId` of `app.orders.$orderId`. A lone `$` matches every other path and has no
 * name.
 */
export function paramsOf(id: string): string[] {
  return segmentsOf(id).flatMap((segment) => (/^\$./.test(segment) ? [segment.slice(1)] : []));
}

/** The path of a route: `/app/orders/1` for `app.orders.$orderId`. */
export function pathOf(id: string, params: Record<string, string> = {}): string {
  const path = segmentsOf(id).map((segment) =>
    segment.startsWith("$") ? encodeURIComponent(params[segment.slice(1)] ?? "1") : segment,
  );
  return `/${path.join("/")}`;
}

/** `[.]` is a dot of the path, `.` a slash, and `_index` nothing. */
function segmentsOf(id: string): string[] {
  return id
    .split(/(?<!\[)\.(?!\])/)
    .filter((segment) => !segment.startsWith("_"))
    .map((segment) => segment.replaceAll(/[[\]]|_$/g, ""));
}
