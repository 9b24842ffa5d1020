import { describe, expect, it } from "vitest";
import { categorySuggester } from "#app/catalogue/product-categories/suggest.ts";
import { wireCategory } from "#app/insurance/categories.ts";

const made = (
  id: string,
  texts: { headline?: string; link?: string; modal?: string; bullets?: string[] } = {},
) =>
  wireCategory.parse({
    id,
    marketing_data: {
      buttons: { headline: texts.headline, link_text: texts.link },
      modal: { headline: texts.modal, bullet_points: texts.bullets },
    },
  });

const categories = [
  made("Smartphone casse et vol", { headline: "Assurez votre téléphone" }),
  made("Ordinateur casse", { modal: "Votre ordinateur ou votre tablette", bullets: ["Clavier", "Écrans"] }),
  made("Appareil photo", { link: "Objectifs compris", bullets: ["Caméra"] }),
];
const suggest = categorySuggester(categories);

describe("the category that a product type suggests", () => {
  it.each<[string, string | null]>([
    ["Smartphone", "Smartphone casse et vol"],
    // Case, accents and the plural's ending are ignored.
    ["SMARTPHONES", "Smartphone casse et vol"],
    ["Telephones mobiles", "Smartphone casse et vol"],
    ["Ordinateurs portables", "Ordinateur casse"],
    // Words of every text count: the headline, the link, the window's headline, its points.
    ["Téléphone", "Smartphone casse et vol"],
    ["Tablettes", "Ordinateur casse"],
    ["claviers", "Ordinateur casse"],
    ["Écran", "Ordinateur casse"],
    ["Objectif", "Appareil photo"],
    ["Caméras", "Appareil photo"],
    // A word in a name weighs more than two in texts.
    ["Smartphone tablette clavier", "Smartphone casse et vol"],
    ["Smartphone tablette clavier ecran ordinateur", "Ordinateur casse"],
    // A word in two names, or a tie, gives no suggestion.
    ["Casse", null],
    ["Smartphone ordinateur", null],
    ["Caméra clavier", null],
    // Words of three letters and words of no category are ignored.
    ["Vol", null],
    ["Chaussures", null],
    ["", null],
    ["12345", null],
  ])("%j is %j", (productType, expected) => {
    expect(suggest(productType)).toEqual(expected === null ? [] : [expected]);
  });

  it("comes with the others where categories are formulas of one universe, the shortest name first", () => {
    const formulas = ["Smartphone Intégrale", "Smartphone Casse et vol", "Smartphone Casse"];
    const suggestOf = categorySuggester([...formulas, "Tablette Casse", "Casse auto"].map((id) => made(id)));
    expect(suggestOf("Smartphones")).toEqual(formulas.toReversed().toSorted((a, b) => a.length - b.length));
    expect(suggestOf("Tablettes")).toEqual(["Tablette Casse"]);
    expect(suggestOf("Smartphone tablette")).toEqual([]);
    expect(suggestOf("casse")).toEqual([]);
  });

  it("is none without categories", () => {
    expect(categorySuggester([])("Smartphone")).toEqual([]);
  });

  it("counts a word once, however often it occurs", () => {
    const two = categorySuggester([made("Montres"), made("Bijoux", { headline: "bague bague bague bague" })]);
    expect(two("bague montre")).toEqual(["Montres"]);
    // The end of a text and the start of the next are two words.
    expect(categorySuggester([made("A", { headline: "bague", link: "argent" })])("argent")).toEqual(["A"]);
    // Only the plural's ending is removed, and only at the end of a word.
    expect(categorySuggester([made("Chaussures")])("Chauxures")).toEqual([]);
    expect(categorySuggester([made("Bijoux")])("bijou")).toEqual(["Bijoux"]);
  });
});
