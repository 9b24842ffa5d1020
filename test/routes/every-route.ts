/** Every route module of the app, found by its file, so that tests over all routes cover one that is added later. */
type Handler = (args: { request: Request; params: Record<string, string>; context: object }) => unknown;

export interface RouteModule {
  /** `app.orders.$orderId` */
  id: string;
  loader: Handler | null;
  action: Handler | null;
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
    const { loader, action } = await load();
    return {
      id: file.replace("/app/routes/", "").replace(/(\/route)?\.tsx?$/, ""),
      loader: isHandler(loader) ? loader : null,
      action: isHandler(action) ? action : null,
    };
  }),
);

export const adminRoutes = routes.filter(({ id }) => id === "app" || id.startsWith("app."));

/** The path of a route's URL: `/app/orders/1` of `app.orders.$orderId`. */
export function pathOf({ id }: RouteModule, params: Record<string, string> = {}): string {
  const segments = id.split(/\.(?!\])/).filter((segment) => !segment.startsWith("_"));
  return `/${segments.map((segment) => (segment.startsWith("$") ? (params[segment.slice(1)] ?? "1") : segment.replaceAll(/[[\]]/g, ""))).join("/")}`;
}
