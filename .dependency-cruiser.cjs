/**
 * The direction of imports (docs/decisions/0001-feature-folders.md):
 * routes → features → insurance, shopify, jobs → platform. `app` never imports `test`; the extension imports nothing.
 */
const features =
  "^app/(merchants|catalogue|offers|orders|quotes|issuing|withdrawals|draft-orders|reconciliation|claims|customers|analytics|inbox|outbox|webhooks|privacy|history|audit)/";

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
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
      name: "platform-knows-nothing-above-it",
      severity: "error",
      from: { path: "^app/platform/" },
      to: { path: "^app/(?!platform/)" },
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
      name: "jobs-know-no-feature",
      severity: "error",
      from: { path: "^app/jobs/" },
      to: { path: "^app/(?!jobs/|platform/)" },
    },
    {
      name: "inbox-knows-no-handler",
      comment: "Features read and erase stored webhooks; the handlers (app/webhooks) call features.",
      severity: "error",
      from: { path: "^app/inbox/" },
      to: { path: "^app/(?!inbox/|merchants/|shopify/|jobs/|platform/)" },
    },
    {
      name: "features-know-no-route-or-screen",
      severity: "error",
      from: { path: features },
      to: { path: "^app/(routes|ui)/" },
    },
    {
      name: "screens-know-no-route",
      severity: "error",
      from: { path: "^app/ui/" },
      to: { path: "^app/routes/" },
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
