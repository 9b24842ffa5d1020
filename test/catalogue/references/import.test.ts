import { describe, expect, it } from "vitest";
import { parseReferences } from "#app/catalogue/references/import.ts";

const header =
  "reference_id,term_length,price,currency_code,price_band_min,price_band_max,billing,title,category_id";
const line = (id: string, price = "4990") =>
  `${id},12 mois,${price},EUR,10000,19999,annually,"Assurance, 12 mois",Smartphone`;

/** An offer as JSON has it. */
const given = {
  reference_id: "A",
  term_length: "24 mois",
  price: 1,
  currency_code: "EUR",
  price_band_min: 0,
  price_band_max: 9,
  billing: "annually",
  title: "T",
  category_id: "Photo",
};
const json = (...offers: unknown[]) => parseReferences(JSON.stringify(offers));

describe("a file of references", () => {
  it("is read from CSV with the columns of the Offer resource", () => {
    const { references, categories, errors } = parseReferences([header, line("A"), line("B")].join("\n"));
    expect(errors).toEqual([]);
    expect(references).toHaveLength(2);
    expect(references[0]).toMatchObject({
      referenceId: "A",
      termMonths: 12,
      priceMinor: 4_990,
      bandMinMinor: 10_000,
      title: "Assurance, 12 mois",
      categoryId: "Smartphone",
    });
    expect(categories.map(({ id }) => id)).toEqual(["Smartphone"]);
  });

  it("may have a byte order mark, semicolons, Windows line ends, and the category's texts in dotted columns", () => {
    const columns = `${header.replaceAll(",", ";")};category.legal_documents.cg_url;category.marketing_data.modal.bullet_points`;
    const row = "A;2 ans;4990;EUR;0;9999;monthly;Titre;Photo;https://x.test/cg;Casse|Vol";
    const { references, categories, errors } = parseReferences(`\uFEFF${columns}\r\n${row}\r\n`);
    expect(errors).toEqual([]);
    expect(references[0]?.termMonths).toBe(24);
    expect(categories[0]?.legal.conditionsUrl).toBe("https://x.test/cg");
    expect(categories[0]?.marketing.modal.bulletPoints).toEqual(["Casse", "Vol"]);
  });

  it("is read from JSON, as a list or in `offers`", () => {
    expect(json(given).references).toHaveLength(1);
    expect(parseReferences(JSON.stringify({ offers: [given] })).references).toHaveLength(1);
  });

  it("reports what is wrong per line, and reads the others", () => {
    const text = [
      header,
      line("A"),
      line("B", "49,90"),
      line("C", "49.90"),
      line("A"),
      `,12 mois,1,EUR,0,1,annually,T,Photo`,
      line("D"),
    ].join("\n");
    const { references, errors } = parseReferences(text);
    expect(references.map(({ referenceId }) => referenceId)).toEqual(["A", "D"]);
    expect(errors).toMatchObject([
      { line: 3, field: null, problem: "unreadable", detail: "columns" },
      { line: 4, field: "price", problem: "malformed", detail: "49.90" },
      { line: 5, field: "reference_id", problem: "duplicate" },
      { line: 6, field: "reference_id", problem: "missing" },
    ]);
  });

  it("reports a list that cannot be read at all", () => {
    expect(parseReferences("[{").errors).toMatchObject([
      { line: null, problem: "unreadable", detail: "json" },
    ]);
    expect(parseReferences('{"plans": []}').errors).toMatchObject([
      { line: null, problem: "unreadable", detail: "list" },
    ]);
    expect(parseReferences(`${header}\n"A`).errors).toMatchObject([
      { problem: "unreadable", detail: "quotes" },
    ]);
    expect(parseReferences("").references).toEqual([]);
  });

  it("cannot reach anything but its own values through a column's name", () => {
    const { errors } = parseReferences("__proto__.polluted,reference_id\nyes,A\n");
    expect(errors.length).toBeGreaterThan(0);
    expect("polluted" in {}).toBe(false);
  });

  it("is JSON wherever it begins with a list or an object, whatever comes before", () => {
    expect(parseReferences(` \n${JSON.stringify([given])}`).references).toHaveLength(1);
    expect(parseReferences(` { "offers": [] }`)).toEqual({ references: [], categories: [], errors: [] });
    expect(parseReferences(`${header}\n${line("[A]")}`).references[0]?.referenceId).toBe("[A]");
  });

  it("has the delimiter that its header has most of", () => {
    const tabs = [header, line("A").replace('"Assurance, 12 mois"', "T;U")].join("\n").replaceAll(",", "\t");
    expect(parseReferences(tabs)).toMatchObject({ errors: [], references: [{ title: "T;U" }] });
    const semicolons = `${header.replaceAll(",", ";")}\nA;1 an;1;EUR;0;9;monthly;"T, U, V, W, X, Y, Z, 1, 2";Photo`;
    expect(parseReferences(semicolons)).toMatchObject({ errors: [], references: [{ referenceId: "A" }] });
  });

  it("may have spaces around names and values, and empty lines, which are counted", () => {
    const spaced = header.replaceAll(",", " , ");
    const text = `${spaced}\n\n${line("A").replaceAll(",EUR,", " , EUR , ")}\n\n${line("B", "x")}`;
    expect(parseReferences(text)).toMatchObject({
      references: [{ referenceId: "A", currency: "EUR" }],
      errors: [{ line: 5, field: "price", problem: "malformed", detail: "x" }],
    });
  });

  it("holds amounts as whole cents of at most 15 digits", () => {
    const prices = ["4990", "0", "-5", "4990x", "x4990", "1234567890123456"];
    const text = [header, ...prices.map((price, index) => line(String(index), price))].join("\n");
    const { references, errors } = parseReferences(text);
    expect(references.map(({ priceMinor }) => priceMinor)).toEqual([4_990, 0]);
    expect(errors.map(({ line, detail }) => [line, detail])).toEqual([
      [4, "-5"],
      [5, "4990x"],
      [6, "x4990"],
      [7, "1234567890123456"],
    ]);
  });

  it("leaves out what a cell leaves empty", () => {
    const text = `${header},contract_id\n${line("A")},\n${line("B")},7\n${line("", "1")},`;
    const { references, errors } = parseReferences(text);
    expect(references.map(({ contractId }) => contractId)).toEqual([null, "7"]);
    expect(errors).toEqual([{ line: 4, field: "reference_id", problem: "missing", detail: "" }]);
  });

  it("says of a line what is missing and what was given, three things at most, in short", () => {
    expect(json({}).errors).toEqual(
      ["reference_id", "term_length", "price"].map((field) => ({
        line: 1,
        field,
        problem: "missing",
        detail: "",
      })),
    );
    const wrong = { currency_code: "x".repeat(61), billing: { every: "week" }, title: "y".repeat(60) };
    expect(json(given, { ...given, reference_id: "B", ...wrong }).errors).toEqual([
      { line: 2, field: "currency_code", problem: "malformed", detail: `${"x".repeat(60)}…` },
      { line: 2, field: "billing", problem: "malformed", detail: '{"every":"week"}' },
    ]);
    expect(json({ ...given, currency_code: "x".repeat(60) }).errors[0]?.detail).toBe("x".repeat(60));
    expect(json("text", null, [given]).errors).toEqual(
      [1, 2, 3].map((line) => ({ line, field: null, problem: "missing", detail: "" })),
    );
  });

  it("names the line that a reference is on already, and keeps that one", () => {
    const { references, errors } = json(given, { ...given, title: "other" });
    expect(references.map(({ title }) => title)).toEqual(["T"]);
    expect(errors).toEqual([{ line: 2, field: "reference_id", problem: "duplicate", detail: "A: 1" }]);
  });

  it("describes a category once: the first time that its documents are there", () => {
    const described = (id: string, cg_url: string, ipid_url: string) => ({
      ...given,
      reference_id: id,
      category: { legal_documents: { cg_url, ipid_url } },
    });
    const links = (...offers: unknown[]) => json(...offers).categories.map((each) => each.legal);
    const empty = { conditionsUrl: "", ipidUrl: "" };
    expect(links({ ...given, category: "Photo" })).toEqual([empty]);
    expect(links(given, described("B", "cg", ""), described("C", "", "later"))).toEqual([
      { conditionsUrl: "cg", ipidUrl: "" },
    ]);
    expect(links(given, described("B", "", "ipid"))).toEqual([{ conditionsUrl: "", ipidUrl: "ipid" }]);
    expect(links(described("B", "cg", "ipid"), given)).toEqual([{ conditionsUrl: "cg", ipidUrl: "ipid" }]);
    expect(json({ ...given, category: { id: "Own" } }).categories[0]?.id).toBe("Own");
  });

  it("has 5,000 lines at most, in CSV and in JSON", () => {
    const problemsOf = (text: string) => new Set(parseReferences(text).errors.map(({ problem }) => problem));
    const csv = (lines: number) => `other\n${"x\n".repeat(lines)}`;
    const list = (items: number) => JSON.stringify(Array.from({ length: items }, () => 0));
    for (const text of [csv(5_000), list(5_000)]) expect(problemsOf(text)).not.toContain("too_many");
    for (const text of [csv(5_001), list(5_001)]) expect([...problemsOf(text)]).toEqual(["too_many"]);
  });

  it("has commas between its columns where the header has nothing between them", () => {
    expect(parseReferences("reference_id\nA;B\tC\n").errors).not.toContainEqual(
      expect.objectContaining({ problem: "unreadable" }),
    );
    expect(parseReferences("reference_id\nA,B\n").errors).toContainEqual(
      expect.objectContaining({ problem: "unreadable", detail: "columns" }),
    );
  });

  it("names a field within a field by both, and what is lists in lists by a mark", () => {
    expect(json({ ...given, category: { id: "" } }).errors).toContainEqual(
      expect.objectContaining({ line: 1, field: "category.id", problem: "malformed" }),
    );
    const endless = "[".repeat(5_000) + "]".repeat(5_000);
    expect(parseReferences(`[{"reference_id":${endless}}]`).errors).toContainEqual(
      expect.objectContaining({ field: "reference_id", problem: "malformed", detail: "[…]" }),
    );
  });

  it("has at most 5,000 references of at most 500 categories", () => {
    expect(parseReferences(JSON.stringify(Array.from({ length: 5_001 }, () => 0)))).toEqual({
      references: [],
      categories: [],
      errors: [{ line: null, field: null, problem: "too_many", detail: "5000" }],
    });
    const many = Array.from({ length: 501 }, (_, index) => ({
      ...given,
      reference_id: `R${index}`,
      category_id: `C${index}`,
    }));
    expect(json(...many.slice(0, 500), { ...given, category_id: "C1" }).errors).toEqual([]);
    expect(json(...many)).toMatchObject({
      categories: [],
      errors: [{ line: 501, field: "category_id", problem: "too_many_categories", detail: "500" }],
    });
  });

  it("keeps columns below columns apart from values of the same name", () => {
    const columns = `${header},category.marketing_data.buttons.headline,category.marketing_data.modal.headline,category.id`;
    const { categories } = parseReferences(`${columns}\n${line("A")},Button,Window,Smartphone`);
    expect(categories[0]?.marketing).toMatchObject({
      buttons: { headline: "Button" },
      modal: { headline: "Window" },
    });
    expect(parseReferences(`title,${header},title.short\nx,${line("A")},T`).errors).not.toEqual([]);
  });
});
