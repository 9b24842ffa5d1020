/** Every page keeps the typed values if a request gets no answer (app/ui/client-action.ts). */
import { expect, test } from "vitest";
import { routes } from "./every-route.ts";

const admin = routes.filter(({ id }) => id.startsWith("app."));

test("every action of the admin that a form sends to has its side in the browser", () => {
  const without = admin.filter(
    ({ action, exported }) => action !== null && !exported.includes("clientAction"),
  );
  // The preview is fetched as a page of its own.
  expect(without.map(({ id }) => id)).toEqual(["app.touchpoints_.preview"]);
});

test("no page of the admin is loaded again after an action that failed", () => {
  const pages = admin.filter(({ exported }) => exported.includes("default") && exported.includes("loader"));
  expect(pages.length).toBeGreaterThan(20);
  const without = pages.filter(({ exported }) => !exported.includes("shouldRevalidate"));
  // A page that does not exist has no input.
  expect(without.map(({ id }) => id)).toEqual(["app.$"]);
});
