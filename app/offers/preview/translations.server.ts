/** The `t` filter: locale files with plurals and placeholders, escaped unless the key ends in `_html`. */
import { AppError } from "#app/platform/app-error.ts";
import { escapeHtml } from "#app/platform/customer-page.ts";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

type Texts = { [key: string]: string | Texts };
const texts: z.ZodType<Texts> = z.lazy(() => z.record(z.string(), z.union([z.string(), texts])));

export class TranslationMissing extends AppError {
  override name = "TranslationMissing";
}

export class Translations {
  readonly #byLocale = new Map<string, Texts>();
  #fallback = "en";

  /** Reads `fr.json`, `en.default.json`, …; schema locales belong to the editor and are left alone. */
  constructor(folder: string) {
    for (const file of readdirSync(folder)) {
      const match = /^([a-zA-Z-]+)(\.default)?\.json$/.exec(file);
      if (match?.[1] === undefined) continue;
      this.#byLocale.set(match[1], texts.parse(JSON.parse(readFileSync(join(folder, file), "utf8"))));
      if (match[2] !== undefined) this.#fallback = match[1];
    }
  }

  translate(locale: string, key: string, values: Record<string, unknown>): string {
    const text = this.#find(locale, key, values) ?? this.#find(this.#fallback, key, values);
    if (text === undefined) throw new TranslationMissing(`translation missing: ${locale}.${key}`);
    const filled = text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => {
      if (!(name in values)) throw new TranslationMissing(`${key} needs a value for ${name}`);
      return asText(values[name]);
    });
    return key.endsWith("_html") ? filled : escapeHtml(filled);
  }

  #find(locale: string, key: string, values: Record<string, unknown>): string | undefined {
    let at: string | Texts | undefined = this.#byLocale.get(locale);
    for (const part of key.split(".")) at = typeof at === "object" ? at[part] : undefined;
    if (typeof at === "object" && typeof values["count"] === "number") {
      const plural = at[new Intl.PluralRules(locale).select(values["count"])] ?? at["other"];
      return typeof plural === "string" ? plural : undefined;
    }
    return typeof at === "string" ? at : undefined;
  }
}

function asText(value: unknown): string {
  return typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "bigint" ||
    typeof value === "boolean"
    ? String(value)
    : "";
}
