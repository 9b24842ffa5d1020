/** The texts of the admin: each one is translated, and French follows French typography. */
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { messagesFor } from "#app/locales/index.server.ts";
import { topics } from "#app/webhooks/topics.ts";

/** Every text of an object of texts, by its path. */
function texts(value: unknown, path = ""): [path: string, text: string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => texts(inner, path === "" ? key : `${path}.${key}`));
}
const french = texts(messagesFor("fr"));
const english = new Map(texts(messagesFor("en")));

const placeholders = (text: string) => [...new Set(text.match(/\{\{.*?\}\}/g))].sort();

test("both languages have the same keys and placeholders, in every file", async () => {
  const files: string[] = [];
  for await (const file of glob("app/locales/{en,fr}/*.json")) files.push(file.replace(/^.*locales./, ""));
  const names = (language: string) =>
    files.filter((file) => file.startsWith(language)).map((file) => file.slice(3));
  expect(names("fr").sort()).toEqual(names("en").sort());
  for (const name of names("en")) {
    const [en = [], fr = []] = await Promise.all(
      ["en", "fr"].map(async (language) =>
        texts(JSON.parse(await readFile(`app/locales/${language}/${name}`, "utf8"))),
      ),
    );
    expect(fr.map(([path]) => path).sort(), name).toEqual(en.map(([path]) => path).sort());
    const other = new Map(fr);
    for (const [path, text] of en)
      if (!path.endsWith("_one"))
        expect(placeholders(other.get(path) ?? ""), `${name} ${path}`).toEqual(placeholders(text));
  }
});

test("French keeps its signs on the line of their word", () => {
  expect(french.length).toBeGreaterThan(500);
  expect(french.filter(([, text]) => /« | »| [:;?!](?:\s|$)/.test(text))).toEqual([]);
});

test("so do French texts elsewhere: in e-mails, on customers' pages, in the shop's catalogue", async () => {
  const found: string[] = [];
  for await (const file of glob("{app,extensions}/**/*.{ts,tsx,json}", { exclude: ["**/dist/**"] }))
    for (const [, text = ""] of (await readFile(file, "utf8")).matchAll(/"((?:[^"\\\n]|\\.)*)"/g))
      if (/[àâçéèêîôûœ’]/.test(text) && /« | »| [:;?!](?:\s|$)/.test(text)) found.push(`${file}: ${text}`);
  expect(found).toEqual([]);
});

/** The same word in both languages. */
const alike = new Set([
  ..."Catalogue Collection Commission Commissions Date Description Format Import Mobile OK Pages".split(" "),
  ..."PayPal Production Test Type production test".split(" "),
  "{{count}} min",
]);

test("nothing is left in English", () => {
  const hasWords = (text: string) => /[a-z]{2}/i.test(text.replace(/\{\{.*?\}\}/g, ""));
  const same = french.filter(
    ([path, text]) => english.get(path) === text && hasWords(text) && !alike.has(text),
  );
  expect(same).toEqual([]);
});

test("a question names what it is about, and what is said afterwards names what happened", () => {
  // A shop has one of each.
  const single = new Set([
    "goLive.confirm.title",
    "common.selling.confirm.pause.title",
    "common.selling.confirm.resume.title",
    "touchpoints.rule.confirm.title",
    "settings.backfill.confirm.title",
    "products.rules.confirm.title_one",
  ]);
  const questions = [...english].filter(
    ([path, text]) => /confirm\..*title|\.off\.title|\.ask/i.test(path) && text.endsWith("?"),
  );
  expect(questions.length).toBeGreaterThan(12);
  const nameless = ([path, text]: [string, string]) =>
    !text.includes("{{") && !single.has(path) && !path.endsWith("_one");
  expect(questions.filter(nameless)).toEqual([]);
  const said = [...english, ...french].filter(([path]) => /\bsaid\./.test(path));
  expect(said.length).toBeGreaterThan(30);
  const hollow =
    /^(?:done|saved|copied|failed|trying|discarded|fait|enregistré|copié|échec|essai|supprimé)\W*$/i;
  expect(said.filter(([, text]) => hollow.test(text))).toEqual([]);
  const ofOrder = said.filter(([path]) => path.startsWith("orders.said."));
  expect(ofOrder.filter(([, text]) => !text.includes("{{order}}"))).toEqual([]);
});

test.each(["en", "fr"] as const)("every topic of the shop's events has a name: %s", (language) => {
  expect(Object.keys(messagesFor(language).history.topic).sort()).toEqual([...topics].sort());
});

/** In texts for people a plan is a contract, and a quote is a quote. */
test("one word is used for a contract and one for a quote, in each language", () => {
  const others = { en: /\b(?:plans?|polic(?:y|ies)|leads?)\b/i, fr: /\b(?:polices?|leads?|cotations?)\b/i };
  // What the shop pays Shopify for is called a plan there, and one of its settings pages Policies.
  const ofPlatform = ["home.access.todo", "settings.finalSale.rule"];
  const found = (["en", "fr"] as const).flatMap((language) =>
    texts(messagesFor(language)).filter(
      ([path, text]) => !ofPlatform.includes(path) && others[language].test(text.replace(/\{\{.*?\}\}/g, "")),
    ),
  );
  expect(found).toEqual([]);
});

const storefront = async (file: string): Promise<unknown> =>
  JSON.parse(
    await readFile(
      join(import.meta.dirname, "../../extensions/parasol-storefront/locales", `${file}.json`),
      "utf8",
    ),
  );

test("what is paid a month for an offer is said in the storefront's words", async () => {
  const texts = z.object({ offer: z.object({ monthly: z.string() }) });
  for (const [language, file] of [
    ["en", "en.default"],
    ["fr", "fr"],
  ] as const) {
    const { offer } = texts.parse(await storefront(file));
    expect(messagesFor(language).common.payment.monthly).toBe(offer.monthly);
  }
});

test("the storefront's French keeps its signs on the line of their word, too", async () => {
  for (const file of ["fr", "fr.schema"])
    expect(texts(await storefront(file)).filter(([, text]) => /« | »| [:;?!](?:\s|$)/.test(text))).toEqual(
      [],
    );
});
