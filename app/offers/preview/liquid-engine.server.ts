/** Renders a folder of Liquid templates (a theme or an extension) as Shopify does. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  type Context,
  defaultOperators,
  Liquid,
  type LiquidOptions,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  toValue,
} from "liquidjs";
import { z } from "zod";
import { AppError } from "#app/platform/app-error.ts";
import { escapeHtml } from "#app/platform/escape-html.ts";
import { formatMoney, moneyFormat } from "./money-format.ts";
import { toScriptJson } from "./script-json.ts";

/** Adds the tags and filters of Shopify that LiquidJS lacks. An unknown tag or filter is an error. */
export class LiquidEngine {
  readonly folder: string;
  readonly liquid: Liquid;
  readonly #files = new UnchangedFiles<{ source: string; templates: Template[] }>();

  /** @param assets URL of the folder's assets */
  constructor(folder: string, assets: string) {
    this.folder = folder;
    this.liquid = new Liquid({
      partials: [join(folder, "snippets")],
      cache: snippetCache(join(folder, "snippets")),
      extname: ".liquid",
      strictFilters: true,
      relativeReference: false,
      operators: { ...defaultOperators, "==": compare("=="), "!=": compare("!=") },
    });
    const { liquid } = this;
    const translations = new Translations(join(folder, "locales"));
    liquid.registerTag("schema", SilentTag);
    liquid.registerTag("doc", SilentTag);
    liquid.registerFilter("t", function (key: unknown, ...values: unknown[]) {
      return translations.translate(localeIn(this.context), String(key), namedArguments(values));
    });
    liquid.registerFilter("money", function (amount: unknown) {
      return formatMoney(Number(amount ?? 0), moneyFormat(currencyIn(this.context)));
    });
    liquid.registerFilter("json", (value: unknown) => toScriptJson(value));
    liquid.registerFilter("asset_url", (file: unknown) => `${assets}/${String(file)}`);
  }

  /** Renders a file of the folder. Snippets see `globals`, but not `scope`. */
  render(file: string, scope: object, globals: object): string {
    return String(this.liquid.renderSync(this.#parse(file).templates, scope, { globals }));
  }

  source(file: string): string {
    return this.#parse(file).source;
  }

  #parse(file: string): { source: string; templates: Template[] } {
    const path = join(this.folder, file);
    const cached = this.#files.find(path);
    if (cached) return cached;
    const source = readFileSync(path, "utf8");
    return this.#files.keep(path, { source, templates: this.liquid.parse(source, path) });
  }
}

/** Caches what was read from files until they change, because templates can be edited while the server runs. */
class UnchangedFiles<T> {
  readonly #kept = new Map<string, { modifiedAt: number | undefined; value?: T }>();

  /** The caller reads the file after this call, so that the next call notices a change in between. */
  find(path: string): T | undefined {
    const modifiedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    const kept = this.#kept.get(path);
    if (kept?.modifiedAt === modifiedAt) return kept?.value;
    this.#kept.set(path, { modifiedAt });
    return undefined;
  }

  /** Caches the value that the caller read after `find` returned undefined. */
  keep(path: string, value: T): T {
    this.#kept.set(path, { modifiedAt: this.#kept.get(path)?.modifiedAt, value });
    return value;
  }
}

/** Without a cache, LiquidJS parses a snippet each time it renders it. */
function snippetCache(folder: string): LiquidCache {
  const files = new UnchangedFiles<Template[] | Promise<Template[]>>();
  const path = (key: string) => join(folder, `${key.slice("partials:".length)}.liquid`);
  return {
    read: (key) => files.find(path(key)),
    write: (key, templates) => void files.keep(path(key), templates),
    remove: () => undefined,
  };
}

type LiquidCache = Exclude<LiquidOptions["cache"], boolean | number | undefined>;

function localeIn(context: Context): string {
  return String(context.getSync(["request", "locale", "iso_code"]));
}

function currencyIn(context: Context): string {
  return String(context.getSync(["cart", "currency", "iso_code"]));
}

/** Liquid's named filter arguments come as pairs, after the positional ones. */
export function namedArguments(values: unknown[]): Record<string, unknown> {
  return Object.fromEntries(
    values.filter(
      (value): value is [string, unknown] => Array.isArray(value) && typeof value[0] === "string",
    ),
  );
}

/** `{% schema %}`, `{% doc %}`: they are for the theme editor and print nothing. */
class SilentTag extends Tag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    for (;;) {
      const next = remaining.shift();
      if (next === undefined) throw new Error(`${token.name} is not closed`);
      if ("name" in next && next.name === `end${token.name}`) return;
    }
  }
  override *render(): Generator<unknown, void, unknown> {}
}

/** In LiquidJS a variable with the value `nil` is not `blank`; in Shopify it is. */
function compare(name: "==" | "!="): Operator {
  const known = (value: unknown) => (toValue(value) == null ? null : value);
  return (a, b, context) => {
    const operator = defaultOperators[name];
    if (operator === undefined) throw new Error(`LiquidJS has no ${name}`);
    return operator(known(a), known(b), context);
  };
}

type Operator = (a: unknown, b: unknown, context: Context) => OperatorResult;
type OperatorResult = ReturnType<NonNullable<(typeof defaultOperators)[string]>>;

type Texts = { [key: string]: string | Texts };
const texts: z.ZodType<Texts> = z.lazy(() => z.record(z.string(), z.union([z.string(), texts])));

class TranslationMissing extends AppError {
  override name = "TranslationMissing";
}

/** The `t` filter: locale files with plurals and placeholders, escaped unless the key ends in `_html`. */
class Translations {
  /** The file of each language. */
  readonly #fileOf = new Map<string, string>();
  readonly #files = new UnchangedFiles<Texts>();
  #fallback = "en";

  /** Finds `fr.json`, `en.default.json`, …; schema locales belong to the theme editor and are skipped. */
  constructor(folder: string) {
    for (const file of readdirSync(folder)) {
      const match = /^([a-zA-Z-]+)(\.default)?\.json$/.exec(file);
      if (match?.[1] === undefined) continue;
      this.#fileOf.set(match[1], join(folder, file));
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
    let at: string | Texts | undefined = this.#textsIn(locale);
    for (const part of key.split(".")) at = typeof at === "object" ? at[part] : undefined;
    if (typeof at === "object" && typeof values["count"] === "number") {
      const plural = at[new Intl.PluralRules(locale).select(values["count"])] ?? at["other"];
      return typeof plural === "string" ? plural : undefined;
    }
    return typeof at === "string" ? at : undefined;
  }

  #textsIn(locale: string): Texts | undefined {
    const path = this.#fileOf.get(locale);
    if (path === undefined) return undefined;
    return (
      this.#files.find(path) ?? this.#files.keep(path, texts.parse(JSON.parse(readFileSync(path, "utf8"))))
    );
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
