import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { staff } from "#app/audit/actor.ts";
import { readAccounts, switchEnvironment } from "#app/merchants/environment.server.ts";
import { activeConnection, callInsurer } from "#app/merchants/insurance-connection.server.ts";
import { jobQueue } from "#app/jobs/queue.server.ts";
import { probeAccount } from "#app/issuing/probe-account.server.ts";
import { db } from "#app/platform/db.server.ts";
import { action, loader } from "#app/routes/app.connection/route.tsx";
import { loader as goLive } from "#app/routes/app.go-live/route.tsx";
import { action as saveTouchpoints, loader as touchpoints } from "#app/routes/app.touchpoints/route.tsx";
import { loader as shell } from "#app/routes/app.tsx";
import { invalid, refused, success } from "#app/ui/action-result.ts";
import { eventually } from "#test/eventually.ts";
import { installApp, nameInsurer } from "#test/install.ts";
import { insurance, otherShop, shop } from "#test/world.ts";
import { ask } from "./ask.ts";

const path = "/app/connection";
const account = {
  intent: "connect",
  environment: "test",
  testToken: "yes",
  storeId: insurance.store_id,
  token: insurance.token_test,
  organisationToken: "",
};

const send = (form: Record<string, string>, domain?: string) => ask(action, path, { form, domain });
const page = (domain?: string) => ask(loader, path, { domain });
/** The account notice on every page. */
const said = async () => (await ask(shell, "/app")).account;

beforeEach(async () => {
  await db.connection.deleteMany();
  await db.storefrontSettings.deleteMany();
  await db.merchant.updateMany({ data: { environment: "test" } });
  await installApp();
});
afterEach(() => insurance.faults.clear());

describe("connecting", () => {
  test("an account that the insurer accepts is saved, with the date, and its token is on no page", async () => {
    expect(await send(account)).toEqual(success("connected"));
    const shown = await page();
    expect(shown.connections).toMatchObject([
      { environment: "test", storeId: insurance.store_id, state: "accepted", organisationTokenSetAt: null },
    ]);
    expect(shown.connections[0]?.tokenSetAt).toBeInstanceOf(Date);
    expect(inspect([shown, await ask(shell, "/app")], { depth: 9 })).not.toContain(insurance.token_test);
  });

  test("where both environments have one address, a test token is saved only once the merchant says what it is", async () => {
    const unticked = Object.fromEntries(Object.entries(account).filter(([name]) => name !== "testToken"));
    const production = { ...unticked, token: insurance.token_production };
    expect(await send(production)).toEqual(refused("token_unconfirmed"));
    expect((await page()).connections).toEqual([]);
    expect((await page()).asksForTestToken).toBe(true);
    expect(await send({ ...production, environment: "production" })).toEqual(success("connected"));
  });

  test("the token rests encrypted", async () => {
    await send({ ...account, organisationToken: insurance.organisation_token });
    const rows = inspect(await db.connection.findMany());
    expect(rows).not.toContain(insurance.token_test);
    expect(rows).not.toContain(insurance.organisation_token);
  });

  test("spaces and line ends around what was pasted do no harm", async () => {
    const pasted = { ...account, storeId: ` ${account.storeId}\n`, token: `\t${account.token} \n` };
    expect(await send(pasted)).toEqual(success("connected"));
    expect(await activeConnection(shop.shopDomain)).toMatchObject({
      account: { token: insurance.token_test },
    });
  });

  test("a token that the insurer refuses is not saved, and the answer says how the call went", async () => {
    const answer = await send({ ...account, token: "wrong" });
    expect(answer).toMatchObject({
      state: "refused",
      reason: "refused",
      detail: expect.stringContaining("401") as string,
    });
    expect((await page()).connections).toEqual([]);
  });

  test("a store id that the insurer does not know is not saved", async () => {
    expect(await send({ ...account, storeId: "no-such-store" })).toMatchObject({
      state: "refused",
      reason: "refused",
    });
    // The specification does not say whether the insurer answers 401 or 404.
    insurance.faults.add({ operation: "categories.list", kind: "status", status: 404 });
    expect(await send(account)).toMatchObject({ state: "refused", reason: "unknown_store" });
    expect((await page()).connections).toEqual([]);
  });

  test("nothing changes while the insurer does not answer", async () => {
    await send(account);
    insurance.faults.add({ operation: "categories.list", kind: "status", status: 503, times: 10 });
    const answer = await send({ ...account, token: insurance.token_production });
    expect(answer).toMatchObject({ state: "refused", reason: "unusable" });
    expect(await activeConnection(shop.shopDomain)).toMatchObject({
      account: { token: insurance.token_test },
    });
  });

  test("the other account's token is not saved: the token alone decides whether contracts are real", async () => {
    await send({ ...account, environment: "production", token: insurance.token_production });
    expect(await send({ ...account, token: insurance.token_production })).toEqual(
      refused("other_environment"),
    );
    expect((await page()).connections.map(({ environment }) => environment)).toEqual(["production"]);
  });

  test("where the merchant opens the account at the insurer is kept, and is a link of every page", async () => {
    const address = (accountUrl: string) => send({ intent: "account_address", accountUrl });
    expect(await address("http://service.example")).toEqual(invalid({ accountUrl: "not_https" }));
    expect(await address("javascript:alert(1)")).toEqual(invalid({ accountUrl: "not_https" }));
    expect((await said()).url).toBeNull();
    expect(await address(" https://service.example/account ")).toEqual(success("saved"));
    expect((await said()).url).toBe("https://service.example/account");
    expect(await address("")).toEqual(success("saved"));
    expect((await said()).url).toBeNull();
  });

  test("an organisation token that the insurer refuses is not saved, and the store is connected", async () => {
    const answer = await send({ ...account, organisationToken: "wrong" });
    expect(answer).toMatchObject({ state: "refused", reason: "organisation_refused" });
    expect((await page()).connections).toMatchObject([{ state: "accepted", organisationTokenSetAt: null }]);
  });

  test("an organisation token is saved where the analytics fail, which says nothing of it", async () => {
    for (const status of [400, 503]) {
      insurance.faults.add({ operation: "analytics.sales", kind: "status", status, times: 3 });
      const answer = await send({ ...account, organisationToken: insurance.organisation_token });
      expect(answer).toMatchObject({ state: "refused", reason: "organisation_unchecked" });
      insurance.faults.clear();
    }
    expect((await page()).connections[0]?.organisationTokenSetAt).not.toBeNull();
  });

  test("a response that cannot be used is told from none", async () => {
    insurance.faults.add({ operation: "categories.list", kind: "status", status: 400 });
    expect(await send(account)).toMatchObject({ state: "refused", reason: "unusable" });
    insurance.faults.add({ operation: "categories.list", kind: "json", answer: 5 });
    expect(await send(account)).toMatchObject({ state: "refused", reason: "unusable" });
    insurance.faults.add({ operation: "categories.list", kind: "reset_before", times: 3 });
    expect(await send(account)).toMatchObject({ state: "refused", reason: "unreachable" });
  });

  test.each([
    ["nothing", { storeId: "" }, { storeId: "missing" }],
    ["a space", { storeId: "a b" }, { storeId: "malformed" }],
    ["dots that lead to another path", { storeId: ".." }, { storeId: "malformed" }],
    ["a line end inside the token", { token: "ab\ncd" }, { token: "malformed" }],
    ["a letter that no header can carry", { token: "jeton-é" }, { token: "malformed" }],
    ["an endless token", { token: "x".repeat(2_001) }, { token: "too_long" }],
  ])("%s is turned away at its field, without a call", async (_what, fields, problems) => {
    insurance.traffic.clear();
    expect(await send({ ...account, ...fields })).toEqual(invalid(problems));
    expect(insurance.traffic.log).toEqual([]);
  });

  test("a first account needs a token; later an empty field keeps the one that is set", async () => {
    expect(await send({ ...account, token: "" })).toEqual(invalid({ token: "token_missing" }));
    expect(await send({ ...account, storeId: "", token: "" })).toEqual(
      invalid({ storeId: "missing", token: "token_missing" }),
    );
    await send(account);
    const [before] = (await page()).connections;
    expect(await send({ ...account, token: "" })).toEqual(success("connected"));
    expect((await page()).connections[0]?.tokenSetAt).toEqual(before?.tokenSetAt);
    expect(await activeConnection(shop.shopDomain)).toMatchObject({
      account: { token: insurance.token_test },
    });
  });

  test("what is not a form of this page is an error", async () => {
    await expect(send({ intent: "connect_all" })).rejects.toMatchObject({ status: 400 });
    await expect(send({ intent: "use", environment: "staging" })).rejects.toMatchObject({ status: 400 });
  });
});

describe("the account in use", () => {
  const production = { ...account, environment: "production", token: insurance.token_production };

  test("is the first one that is connected", async () => {
    await nameInsurer();
    await send(production);
    expect((await page()).inUse).toBe("production");
    await send(account);
    expect((await page()).inUse).toBe("production");
  });

  test("is never the test account by its connection alone, where the shop has had real insurance", async () => {
    await nameInsurer();
    await send(production);
    await send({ intent: "disconnect", environment: "production" });
    await send(account);
    expect((await page()).inUse).toBe("production");
    expect(await send({ intent: "use", environment: "test" })).toEqual(success("switched"));
    expect((await page()).inUse).toBe("test");
  });

  test("sells no real insurance in Europe before the insurer's name, address and contact are in every offer", async () => {
    await send(production);
    expect((await page()).inUse).toBe("test");
    const use = { intent: "use", environment: "production" };
    expect(await send(use)).toEqual(refused("legal_gaps"));
    expect((await ask(goLive, "/app/go-live")).law.gaps).toEqual([
      "insurer",
      "insurer_address",
      "complaints",
    ]);
    const where = { where: { shop: shop.shopDomain } };
    await db.merchant.update({ ...where, data: { country: "CA" } });
    expect((await ask(goLive, "/app/go-live")).law).toEqual({ isEuropean: false, gaps: [] });
    await db.merchant.update({ ...where, data: { country: "FR" } });
    await nameInsurer();
    expect(await send(use)).toEqual(success("switched"));
    // A shop that sells real insurance keeps them.
    const { settings } = await ask(touchpoints, "/app/touchpoints");
    const json = { ...settings, complaints: " " };
    expect(await ask(saveTouchpoints, "/app/touchpoints", { json })).toEqual(refused("insurer_needed"));
  });

  test("changes only to an account that is connected", async () => {
    await send(account);
    const use = { intent: "use", environment: "production" };
    expect(await send(use)).toEqual(refused("not_connected"));
    await send(production);
    await nameInsurer();
    expect(await send(use)).toEqual(success("switched"));
    expect((await page()).inUse).toBe("production");
    expect(await activeConnection(shop.shopDomain)).toMatchObject({ environment: "production" });
  });

  test("stays in use where a switch is stopped in time, and its catalogue is synced again", async () => {
    await send(account);
    await send(production);
    await db.merchant.updateMany({
      where: { shop: shop.shopDomain },
      data: { nextEnvironment: "production" },
    });
    const runs = await db.syncRun.count({ where: { shop: shop.shopDomain } });
    expect(await send({ intent: "stop", environment: "production" })).toEqual(success("stopped"));
    expect(await readAccounts(shop.shopDomain)).toMatchObject({ inUse: "test", next: null });
    expect(await db.syncRun.count({ where: { shop: shop.shopDomain } })).toBe(runs + 1);
    const noted = await db.auditEntry.findMany({
      where: { shop: shop.shopDomain, action: "switch_given_up" },
    });
    expect(noted).toMatchObject([{ actorKind: "staff", subject: "test" }]);
    // A second click finds the sync stopped.
    expect(await send({ intent: "stop", environment: "production" })).toEqual(success("stopped"));
    expect(await db.syncRun.count({ where: { shop: shop.shopDomain } })).toBe(runs + 1);
  });

  test("is not taken back by a stop after the switch is complete", async () => {
    await send(account);
    await send(production);
    await switchEnvironment(shop.shopDomain, "production", staff("1"));
    expect(await send({ intent: "stop", environment: "production" })).toEqual(refused("already_live"));
    expect(await readAccounts(shop.shopDomain)).toMatchObject({ inUse: "production", next: null });
  });

  test("is gone with its tokens after a disconnection", async () => {
    await send({ ...account, organisationToken: insurance.organisation_token });
    expect(await send({ intent: "disconnect", environment: "test" })).toEqual(success("disconnected"));
    expect(await activeConnection(shop.shopDomain)).toBeNull();
    expect(await db.connection.count()).toBe(0);
  });

  test("can lose its organisation token alone", async () => {
    await send({ ...account, organisationToken: insurance.organisation_token });
    await send({ intent: "remove_organisation", environment: "test" });
    expect((await page()).connections).toMatchObject([{ state: "accepted", organisationTokenSetAt: null }]);
  });
});

describe("a token that is no longer taken", () => {
  beforeEach(async () => {
    await send(account);
    insurance.faults.add({ operation: "categories.list", kind: "status", status: 401, times: 1 });
  });

  test("shows when it is checked, on every page, until it is accepted again", async () => {
    expect(await said()).toMatchObject({ state: "accepted", environment: "test", stop: null });
    expect(await send({ intent: "check", environment: "test" })).toMatchObject({
      state: "refused",
      reason: "refusedNow",
    });
    expect((await page()).connections).toMatchObject([{ state: "refused" }]);
    expect(await said()).toMatchObject({ state: "refused", environment: "test", stop: "refused" });
    expect(await send({ intent: "check", environment: "test" })).toEqual(success("accepted"));
    expect(await said()).toMatchObject({ state: "accepted", environment: "test", stop: null });
  });

  test("stops nothing where another one was connected during the check", async () => {
    const refusals = { shop: shop.shopDomain, action: "token_refused" };
    const before = await db.auditEntry.count({ where: refusals });
    const { promise: until, resolve: release } = Promise.withResolvers<null>();
    insurance.faults.clear();
    insurance.faults.add({ operation: "categories.list", kind: "status", status: 401, until });
    const check = send({ intent: "check", environment: "test" });
    await eventually(() => insurance.faults.list.length === 0, "the account is being checked");
    expect(await send({ ...account, token: insurance.token_production })).toEqual(success("connected"));
    release(null);
    await check;
    expect(await said()).toMatchObject({ state: "accepted", stop: null });
    expect(await db.auditEntry.count({ where: refusals })).toBe(before);
  });

  test("has the account checked, and stops nothing by one refused request", async () => {
    const called = await callInsurer(shop.shopDomain, ({ client }) => client.categories.list());
    expect(called).toMatchObject({ state: "refused" });
    expect(await said()).toMatchObject({ state: "accepted", stop: null });
    const probes = await (await jobQueue()).findJobs("account-probe", { key: `${shop.shopDomain}:test` });
    expect(probes.map(({ state }) => state)).toContain("created");
    // The insurer accepts the account again.
    await probeAccount({ shop: shop.shopDomain, environment: "test" });
    expect(await said()).toMatchObject({ state: "accepted", stop: null });
  });

  test("ends with any request that the insurer answers", async () => {
    await db.connection.updateMany({ data: { state: "refused" } });
    insurance.faults.clear();
    await callInsurer(shop.shopDomain, ({ client }) => client.categories.list());
    expect(await said()).toMatchObject({ state: "accepted", stop: null });
  });
});

test("the check of an account that is not there answers nothing", async () => {
  expect(await send({ intent: "check", environment: "production" })).toEqual(refused("not_connected"));
});

test("a shop neither sees nor changes another's accounts", async () => {
  await send(account);
  const other = otherShop.shopDomain;
  await installApp(other);
  expect((await page(other)).connections).toEqual([]);
  await send({ intent: "disconnect", environment: "test" }, other);
  await send({ intent: "use", environment: "test" }, other);
  expect((await page()).connections).toHaveLength(1);
});
