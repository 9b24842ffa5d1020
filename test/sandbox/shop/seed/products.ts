/** The products of the demo shop, a row each in products.csv (products.en.csv in English). Brands are made up. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { z } from "zod";

const euros = z.coerce.number().positive();
const optional = <T>(value: z.ZodType<T>) =>
  z.union([z.literal("").transform(() => undefined), value]).optional();

const row = z.object({
  title: z.string(),
  vendor: z.string(),
  /** the product type, which the demo's mapping to insurance categories uses */
  type: z.string(),
  /** VAT included */
  price: euros,
  /** before a reduction */
  before: optional(euros),
  /** items in stock of each variant; missing: not tracked */
  stock: optional(z.coerce.number().int()),
  tags: z.string().transform((text) => text.split(", ")),
  /** with each value's surcharge in euros: `Couleur: Noir, Bleu; Stockage: 128 Go, 256 Go +50` */
  options: optional(z.string().transform(readOptions)),
  text: z.string(),
});
export type SeedProduct = z.infer<typeof row>;

function readOptions(text: string): Record<string, Record<string, number>> {
  return Object.fromEntries(
    text.split("; ").map((option) => {
      const [name = "", values = ""] = option.split(": ");
      const pairs = values.split(", ").map((value) => value.split(" +"));
      return [name, Object.fromEntries(pairs.map(([label = "", extra = "0"]) => [label, Number(extra)]))];
    }),
  );
}

function readProducts(name: string): SeedProduct[] {
  const file = readFileSync(join(import.meta.dirname, name), "utf8");
  return z.array(row).parse(parse(file, { columns: true }));
}

export const seedProducts = readProducts("products.csv");

interface SeedCollection {
  title: string;
  types: string[];
  tag?: string;
}

export interface Seed {
  products: SeedProduct[];
  /** by their product types */
  collections: SeedCollection[];
  /** the title of the home page's collection */
  frontPage: string;
}

const seedCollections: SeedCollection[] = [
  { title: "Smartphones", types: ["Smartphone"] },
  { title: "Ordinateurs", types: ["Ordinateur portable", "Ordinateur de bureau"] },
  { title: "Photo et vidéo", types: ["Appareil photo", "Caméra"] },
  { title: "Tablettes et liseuses", types: ["Tablette"] },
  { title: "Son", types: ["Casque audio", "Enceinte"] },
  { title: "Télévision", types: ["Téléviseur"] },
  { title: "Jeux", types: ["Console"], tag: "Jeu" },
  { title: "Montres connectées", types: ["Montre connectée"] },
  { title: "Accessoires", types: ["Accessoire"] },
];

const englishCollections: SeedCollection[] = [
  { title: "Smartphones", types: ["Smartphone"] },
  { title: "Computers", types: ["Laptop", "Desktop computer"] },
  { title: "Photo and video", types: ["Camera", "Action camera"] },
  { title: "Tablets and e-readers", types: ["Tablet"] },
  { title: "Sound", types: ["Headphones", "Speaker"] },
  { title: "Television", types: ["Television"] },
  { title: "Games", types: ["Console"], tag: "Gaming" },
  { title: "Smartwatches", types: ["Smartwatch"] },
  { title: "Accessories", types: ["Accessory"] },
];

/** The demo shop in a language: English for English, French for every other. */
export function seedIn(locale: string): Seed {
  if (locale.startsWith("en"))
    return {
      products: readProducts("products.en.csv"),
      collections: englishCollections,
      frontPage: "Featured",
    };
  return { products: seedProducts, collections: seedCollections, frontPage: "À la une" };
}
