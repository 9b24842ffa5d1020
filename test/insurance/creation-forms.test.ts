/** The form of a creation: one object, a list of one or a wrapped list, whichever the insurer takes. */
import { createServer } from "node:http";
import { text as readBody } from "node:stream/consumers";
import { afterAll, beforeEach, expect, it } from "vitest";
import { insuranceClient } from "#app/insurance/client.ts";
import { planBody } from "#app/insurance/plans.ts";
import { Rejected, UnknownOutcome } from "#app/insurance/errors.ts";
import { listen } from "#test/sandbox/listen.ts";
import { errorOf, newPlan } from "./setup.ts";

type Answer = (body: unknown) => { status: number; body: unknown };
let answer: Answer;
let sent: unknown[] = [];
const server = createServer((incoming, outgoing) => {
  void readBody(incoming).then((text) => {
    const request: unknown = JSON.parse(text);
    sent.push(request);
    const { status, body } = answer(request);
    outgoing.writeHead(status).end(JSON.stringify(body));
  });
});
const { url: baseUrl, close } = await listen(server);
afterAll(close);

let accounts = 0;
let client: ReturnType<typeof insuranceClient>;
beforeEach(() => {
  accounts += 1;
  sent = [];
  client = insuranceClient({ baseUrl, storeId: "s", token: "t", key: `forms ${accounts}` }, { attempts: 1 });
});

const plan = planBody(newPlan());
const created = { contract_id: "CT-1", status: "active", activation_date: null, expiration_date: null };
const refuse = (message: string, status = 422) => ({ status, body: { message } });
const isWrapped = (body: unknown) => typeof body === "object" && body !== null && "plans" in body;
const json = (body: unknown): unknown => JSON.parse(JSON.stringify(body));

it.each<[string, unknown[], Answer]>([
  ["one object", [plan], () => ({ status: 201, body: created })],
  [
    "a list",
    [plan, [plan]],
    (body) => (Array.isArray(body) ? { status: 201, body: [created] } : refuse("Expected an array of plans")),
  ],
  [
    "a wrapped list",
    [plan, [plan], { plans: [plan] }],
    (body) =>
      isWrapped(body)
        ? { status: 201, body: { plans: [created] } }
        : { status: 400, body: { errors: { plans: ["is missing"] } } },
  ],
])("an insurer that takes %s gets it, and from the second time on at once", async (_, forms, respond) => {
  answer = respond;
  expect(await client.plans.create(newPlan())).toMatchObject({ contractId: "CT-1" });
  expect(sent).toEqual(json(forms));
  sent = [];
  await client.plans.create(newPlan());
  expect(sent).toEqual(json(forms.slice(-1)));
});

it("a refusal of every form is the refusal of the documented one", async () => {
  answer = (body) => refuse(Array.isArray(body) || isWrapped(body) ? "Expected an object" : "No such offer");
  expect(await errorOf(client.plans.create(newPlan()))).toMatchObject({ insurerMessage: "No such offer" });
  expect(sent).toHaveLength(3);
});

it("a refusal of the customer's data is final in the form that was read", async () => {
  answer = (body) => (Array.isArray(body) ? refuse("phone: ungültig") : refuse("Expected an array", 400));
  expect(await errorOf(client.plans.create(newPlan()))).toMatchObject({ insurerMessage: "phone: ungültig" });
  expect(sent).toHaveLength(2);
});

it.each([401, 404, 409, 415, 500])("after %i no other form is sent", async (status) => {
  answer = () => refuse("no", status);
  await errorOf(client.plans.create(newPlan()));
  expect(sent).toHaveLength(1);
});

it("what was accepted with an unreadable answer is never sent in another form", async () => {
  answer = (body) => (Array.isArray(body) ? { status: 201, body: {} } : refuse("Expected an array"));
  expect(await errorOf(client.plans.create(newPlan()))).toBeInstanceOf(UnknownOutcome);
  answer = () => refuse("Odd");
  sent = [];
  expect(await errorOf(client.plans.create(newPlan()))).toBeInstanceOf(Rejected);
  expect(sent).toEqual(json([[plan]]));
});
