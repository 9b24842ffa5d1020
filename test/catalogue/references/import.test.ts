import { describe, expect, it } from "vitest";
import { parseReferences } from "#app/catalogue/references/import.ts";

const header =
  "reference_id,term_length,price,currency_code,price_band_min,price_band_max,billing,title,category_id";
const line = (id: string, price = "4990") =>
  `${id},12 mois,${price},EUR,10000,19999,annually,"Assurance, 12 mois",Smartphone`;

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
    expect(categories[0]?.legal_documents.cg_url).toBe("https://x.test/cg");
    expect(categories[0]?.marketing_data.modal.bullet_points).toEqual(["Casse", "Vol"]);
  });

  it("is read from JSON, as a list or in `offers`", () => {
    const offer = {
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
    expect(parseReferences(JSON.stringify([offer])).references).toHaveLength(1);
    expect(parseReferences(JSON.stringify({ offers: [offer] })).references).toHaveLength(1);
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
});
