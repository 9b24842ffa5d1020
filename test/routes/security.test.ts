/** Who may ask what: every loader and action of the admin, found by the file system. */
import { beforeAll, describe, expect, test } from "vitest";
import { connectShop } from "#test/install.ts";
import { adminRequest, sessionToken } from "#test/world.ts";
import { adminRoutes, pathOf } from "./every-route.ts";

beforeAll(() => connectShop());

/** What a handler answers, returned or thrown. */
async function answerOf(handle: () => unknown): Promise<unknown> {
  try {
    return await handle();
  } catch (thrown) {
    return thrown;
  }
}

const doors = adminRoutes.flatMap((route) =>
  (["loader", "action"] as const).flatMap((kind) => {
    const handler = route[kind];
    return handler ? [{ name: `${route.id} ${kind}`, route, kind, handler }] : [];
  }),
);

describe.each(doors)("$name", ({ route, kind, handler }) => {
  test("a session token that somebody else signed gets 401", async () => {
    const request = await adminRequest(pathOf(route), {
      token: await sessionToken(undefined, "not the app's secret"),
      ...(kind === "action" ? { form: {} } : {}),
    });
    const answer = await answerOf(() => handler({ request, params: {}, context: {} }));
    expect(answer).toBeInstanceOf(Response);
    expect(answer).toMatchObject({ status: 401 });
  });
});
