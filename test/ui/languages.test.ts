/** Parasol's texts for shoppers and customers: all languages have the same keys, plurals and placeholders. */
import { glob, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { decisionText, statusText } from "#app/claims/claim-words.ts";
import { riskNames, textsOf } from "#app/locales/customers/index.server.ts";
import { messagesFor } from "#app/locales/index.server.ts";
import { consentVersion } from "#app/offers/consent-version.server.ts";
import { languages, locales } from "#app/platform/locale.ts";
import { claimStates } from "../../extensions/claim-states.ts";

const extensions = join(import.meta.dirname, "..", "..", "extensions");
const customers = join(import.meta.dirname, "..", "..", "app", "locales", "customers");
/** Shopify has two kinds of Portuguese. All other languages get English. */
const files = languages.flatMap((language) =>
  language === "pt" ? ["pt-BR", "pt-PT"] : language === "en" ? ["en.default"] : [language],
);

type Texts = { [key: string]: string | Texts };
const texts: z.ZodType<Texts> = z.lazy(() => z.record(z.string(), z.union([z.string(), texts])));
const readTexts = async (path: string) => texts.parse(JSON.parse(await readFile(path, "utf8")));
const read = (folder: string, file: string) => readTexts(join(extensions, folder, "locales", `${file}.json`));

/** Paths with the placeholders of each text; a plural counts as one text, with the placeholders of its general form. */
function shape(part: Texts | string, path = ""): string[] {
  if (typeof part === "string")
    return [`${path} ${(part.match(/\{\{\s*\w+\s*\}\}/g) ?? []).toSorted().join(" ")}`];
  if ("other" in part) return shape(part["other"] ?? "", path);
  return Object.entries(part).flatMap(([key, inner]) => shape(inner, path === "" ? key : `${path}.${key}`));
}

/** Plural forms of the languages that have more: `count` → its forms. */
function plurals(part: Texts | string): string[][] {
  if (typeof part === "string") return [];
  if ("other" in part) return [Object.keys(part)];
  return Object.values(part).flatMap(plurals);
}

test.each(["parasol-storefront", "cover", "checkout-offer", "functions/cart-validation"])(
  "%s speaks the seven languages, each with the same texts",
  async (folder) => {
    const given = (await readdir(join(extensions, folder, "locales"))).filter(
      (file) => !file.endsWith(".schema.json"),
    );
    expect(given.toSorted()).toEqual(files.map((file) => `${file}.json`).toSorted());
    const english = shape(await read(folder, "en.default"));
    for (const file of files) expect([file, shape(await read(folder, file))]).toEqual([file, english]);
  },
);

test.each(["parasol-storefront", "cover", "checkout-offer"])(
  "texts by count of %s have a form for every count of their language",
  async (folder) => {
    for (const file of files) {
      const { pluralCategories } = new Intl.PluralRules(file.split(".")[0]).resolvedOptions();
      const given = plurals(await read(folder, file));
      expect(given.length).toBeGreaterThan(0);
      for (const forms of given)
        expect([file, forms.toSorted()]).toEqual([file, pluralCategories.toSorted()]);
    }
  },
);

test("every text of the storefront is used by one of its blocks or snippets", async () => {
  const used = new Set<string>();
  for await (const file of glob(join(extensions, "parasol-storefront", "{blocks,snippets}", "*.liquid")))
    for (const [, key = ""] of (await readFile(file, "utf8")).matchAll(/'(\w+\.\w+)' \| t\b/g)) used.add(key);
  const given = shape(await read("parasol-storefront", "en.default")).map((entry) => entry.split(" ")[0]);
  expect([...used].toSorted()).toEqual(given.toSorted());
});

test("the consent is the same in both kinds of Portuguese, and each language's names its own version", async () => {
  const offer = z.object({ offer: z.object({ consent: z.string(), consent_version: z.string() }) });
  const consents = new Map<string, string>();
  for (const file of files) {
    const { consent, consent_version } = offer.parse(await read("parasol-storefront", file)).offer;
    expect([file, consent_version]).toEqual([file, consentVersion(consent)]);
    consents.set(file, consent);
  }
  expect(consents.get("pt-BR")).toBe(consents.get("pt-PT"));
  expect(new Set(consents.values()).size).toBe(languages.length);
});

test("Shopify's limit of a locale file is kept: 15 KB", async () => {
  for (const file of files)
    expect(JSON.stringify(await read("parasol-storefront", file)).length).toBeLessThan(15_000);
});

test("customers' pages and mails speak the seven languages, each with the same texts and placeholders", async () => {
  const files = (await readdir(customers)).filter((file) => file.endsWith(".json"));
  expect(files.toSorted()).toEqual(languages.map((language) => `${language}.json`).toSorted());
  const english = shape(await readTexts(join(customers, "en.json")));
  for (const file of files) {
    const own = await readTexts(join(customers, file));
    expect([file, shape(own)]).toEqual([file, english]);
    expect([file, JSON.stringify(own).includes('""')]).toEqual([file, false]);
  }
});

test("the order's page calls the withdrawal what the law calls it", async () => {
  const cover = z.object({ withdraw: z.string() });
  // EU law does not apply in Brazil, so Brazilian customers have a term of their own.
  for (const file of files.filter((each) => each !== "pt-BR")) {
    const language = languages.find((each) => file.startsWith(each)) ?? "en";
    expect(cover.parse(await read("cover", file)).withdraw).toBe(
      textsOf(language, "withdrawal")("statutory.withdraw"),
    );
  }
});

test("theme, checkout and account call the same things by the same words", async () => {
  const words = z.object({ name: z.string() });
  for (const file of files) {
    const cover = z
      .object({ my_cover: words, page: z.object({ heading: z.string() }) })
      .parse(await read("cover", file));
    expect([file, cover.my_cover.name]).toEqual([file, cover.page.heading]);
    const theme = z
      .object({ offer: z.record(z.string(), z.unknown()), cart: z.object({ add: z.string() }) })
      .parse(await read("parasol-storefront", file));
    const checkout = await read("checkout-offer", file);
    expect([file, checkout["add"]]).toEqual([file, theme.cart.add]);
    for (const name of ["none", "change", "more", "optional", "conditions_short"])
      expect([file, name, checkout[name]]).toEqual([file, name, theme.offer[name]]);
  }
});

test("the usual risks have a name of their own in each language", () => {
  for (const names of Object.values(riskNames)) expect(new Set(Object.values(names)).size).toBe(4);
  expect(Object.keys(riskNames).toSorted()).toEqual([...languages].toSorted());
});

test("each state and kind of a claim has a text in the admin, on customers' pages, in mails and in the account", async () => {
  for (const list of ["approval", "status", "type"] as const) {
    const states = claimStates[list];
    for (const file of files) {
      const claim = z
        .looseObject({ claim: z.record(z.string(), z.unknown()) })
        .parse(await read("cover", file));
      expect([file, Object.keys(claim.claim[list] ?? {})]).toEqual([
        file,
        expect.arrayContaining([...states]),
      ]);
    }
    for (const locale of locales)
      expect(Object.keys(messagesFor(locale).claims[list])).toEqual(expect.arrayContaining([...states]));
  }
  for (const language of languages) {
    for (const state of claimStates.status) expect(statusText(state, language)).not.toMatch(/_|^status/);
    for (const state of claimStates.approval) expect(decisionText(state, language)).not.toMatch(/^decision/);
  }
});
