/**
 * The direction of imports (docs/decisions/0001-feature-folders.md): `app` never imports `test`; the extension imports
 * nothing; a room of `app` imports only itself and rooms that stand before it in this list.
 */
const rooms = [
  "platform",
  "jobs",
  "shopify",
  "insurance",
  "locales",
  "customers",
  "audit",
  "merchants",
  "inbox",
  "documents",
  "outbox",
  "catalogue",
  "offers",
  "orders",
  "quotes",
  "claims",
  "withdrawals",
  "issuing",
  "evidence",
  "draft-orders",
  "reconciliation",
  "analytics",
  "settlement",
  "history",
  "privacy",
  "webhooks",
  "ui",
  "reports",
  "routes",
  "processes",
];

/** One rule a room: nothing of a later one. */
const upwardImports = rooms.slice(0, -1).map((room, index) => ({
  name: `${room}-knows-no-later-room`,
  severity: "error",
  from: { path: `^app/${room}/` },
  to: { path: `^app/(${rooms.slice(index + 1).join("|")})/` },
}));

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...upwardImports,
    {
      name: "every-room-is-in-the-list",
      severity: "error",
      from: { path: `^app/(?!(${rooms.join("|")})/)[^/]+/` },
      to: {},
    },
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    { name: "not-to-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    { name: "app-never-imports-test", severity: "error", from: { path: "^app/" }, to: { path: "^test/" } },
    {
      name: "extension-stands-alone",
      severity: "error",
      from: { path: "^extensions/" },
      to: { path: "^(app|test)/" },
    },
    {
      name: "insurance-knows-no-feature-shop-or-job",
      severity: "error",
      from: { path: "^app/insurance/" },
      to: { path: "^app/(?!insurance/|platform/)" },
    },
    {
      name: "shopify-knows-no-feature",
      severity: "error",
      from: { path: "^app/shopify/" },
      to: { path: "^app/(?!shopify/|platform/)" },
    },
    {
      name: "processes-run-no-jsx",
      comment:
        "Worker and commands run from source, and Node compiles no JSX (docs/decisions/0002-toolchain.md).",
      severity: "error",
      from: { path: "^app/(?!ui/|routes/).*\\.ts$" },
      to: { path: "\\.tsx$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "routes-hold-no-query",
      comment: "A route calls a feature's function; it never reaches the database itself.",
      severity: "error",
      from: { path: "^app/routes/" },
      to: { path: "^app/platform/(db|database)\\.server" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^app/platform/prisma/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
