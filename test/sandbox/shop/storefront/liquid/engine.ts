/** A Liquid engine for one folder of templates (a theme or an extension) with the platform's tags and filters. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Context, defaultOperators, Liquid, type Template, toValue } from "liquidjs";
import { addFilters } from "./filters.ts";
import { type RenderContext, setRenderContext } from "./globals.ts";
import { addTags } from "./tags.ts";
import { Translations } from "./translate.ts";

export class Engine {
  readonly folder: string;
  readonly #liquid: Liquid;
  readonly #parsed = new Map<string, { at: number; source: string; templates: Template[] }>();

  constructor(folder: string, assets: string) {
    this.folder = folder;
    this.#liquid = new Liquid({
      partials: [join(folder, "snippets")],
      extname: ".liquid",
      strictFilters: true,
      relativeReference: false,
      operators: { ...defaultOperators, "==": compare("=="), "!=": compare("!=") },
    });
    addTags(this.#liquid);
    addFilters(this.#liquid, {
      translations: new Translations(join(folder, "locales")),
      assets,
      readAsset: (file) => readFileSync(join(folder, "assets", file), "utf8"),
    });
  }

  /** Renders a file of the folder. `globals` are seen in snippets, too; `scope` is not. */
  render(file: string, scope: object, globals: object, scene: RenderContext): string {
    setRenderContext(globals, scene);
    const { templates } = this.#parse(file);
    return String(this.#liquid.renderSync(templates, scope, { globals }));
  }

  source(file: string): string {
    return this.#parse(file).source;
  }

  /** Parsed once, and again when the file has changed, so that templates can be worked on while the shop runs. */
  #parse(file: string): { source: string; templates: Template[] } {
    const path = join(this.folder, file);
    const at = statSync(path).mtimeMs;
    const known = this.#parsed.get(path);
    if (known?.at === at) return known;
    const source = readFileSync(path, "utf8");
    const parsed = { at, source, templates: this.#liquid.parse(source, path) };
    this.#parsed.set(path, parsed);
    return parsed;
  }
}

/** LiquidJS's `nil` that was assigned to a variable is not `blank`; the platform's is. */
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
