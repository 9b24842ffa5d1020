/** The app's errors: the name of each in logs, metrics and code. */
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { RateLimited, Unavailable } from "#app/insurance/errors.ts";
import { AppError } from "#app/platform/app-error.ts";

const sources = globSync("app/**/*.ts", { exclude: ["app/platform/prisma/**"] }).map((path) =>
  readFileSync(path, "utf8"),
);
const classes = sources.flatMap((source) =>
  [...source.matchAll(/class (\w+) extends (\w+) \{([^}]*)/g)].map(([, name = "", base = "", body = ""]) => ({
    name,
    base,
    body,
  })),
);

it("each class of errors is called by its own name, and comes from AppError", () => {
  const errors = new Set(["AppError"]);
  for (let known = 0; known < errors.size;) {
    known = errors.size;
    for (const { name, base } of classes) if (errors.has(base)) errors.add(name);
  }
  expect(errors.size).toBeGreaterThan(20);
  for (const { name, base, body } of classes) {
    if (errors.has(name)) expect(body, name).toContain(`override name = "${name}";`);
    // A library's class has a name of its own.
    if (base === "Error") expect(name).toBe("AppError");
  }
});

it("an error's code is its class in snake_case, or the reason where a class has several", () => {
  const details = { method: "GET", path: "/", status: null, requestId: null, attempts: 0, durationMs: 0 };
  expect(new AppError("x").code).toBe("app_error");
  expect(new RateLimited("x", details).code).toBe("rate_limited");
  expect(new Unavailable("circuit_open", "x", details).code).toBe("circuit_open");
});
