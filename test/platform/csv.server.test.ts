import { expect, test } from "vitest";
import { csvTable } from "#app/platform/csv.server.ts";
import type { Cell, FileLanguage } from "#app/platform/csv.server.ts";

const words = { columns: { paid: "Payé" }, values: { state: { active: "Actif" } } };
const french: FileLanguage = {
  locale: "fr",
  timezone: "Europe/Paris",
  fileName: (subject) => `${subject}.csv`,
  ...words,
};
const english: FileLanguage = { ...french, locale: "en" };

const cells: Record<string, Cell> = {
  paid: { minor: -123_456, currency: "EUR" },
  rate: 0.25,
  at: new Date("2026-03-31T22:05:00Z"),
  state: "active",
  other: "toString",
  empty: null,
  name: "=1+1",
  cell: 'a;=cmd|"x"',
};
const columns = Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, () => cell]));
const fileIn = async (language: FileLanguage) => {
  const bytes = await csvTable("orders", columns, [null], language).arrayBuffer();
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
};

test("a French file has semicolons, decimal commas, local times and French words", async () => {
  expect(await fileIn(french)).toBe(
    "\uFEFFPayé;rate;at;state;other;empty;name;cell\n" +
      `-1234,56;0,25;2026-04-01 00:05;Actif;toString;;'=1+1;"a;'=cmd|""x"""\n`,
  );
});

test("an English file has commas and decimal points", async () => {
  const [, row] = (await fileIn(english)).split("\n");
  expect(row).toBe(`-1234.56,0.25,2026-04-01 00:05,Actif,toString,,'=1+1,"a;'=cmd|""x"""`);
});
