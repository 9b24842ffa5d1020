import { expect, test } from "vitest";
import { createLog, withRequestId } from "#app/platform/log.server.ts";

function listen(): { lines: string[]; log: ReturnType<typeof createLog> } {
  const lines: string[] = [];
  return { lines, log: createLog("info", { write: (line) => void lines.push(line) }) };
}

test("every line carries the id of the request that it belongs to", async () => {
  const { lines, log } = listen();
  await withRequestId("request-1", async () => {
    await Promise.resolve();
    log.info("inside");
  });
  log.info("outside");
  expect(lines.map((line) => /"requestId":"(.*?)"/.exec(line)?.[1])).toEqual(["request-1", undefined]);
});

test("secrets and personal data are redacted, also two levels down", () => {
  const { lines, log } = listen();
  log.info({
    token: "tok_1",
    account: { token: "tok_2" },
    order: { customer: { email: "a@example.com" } },
    email: "b@example.com",
  });
  const text = lines.join("");
  expect(text).toContain("[redacted]");
  for (const hidden of ["tok_1", "tok_2", "a@example.com", "b@example.com"])
    expect(text).not.toContain(hidden);
});
