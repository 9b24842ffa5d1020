/** Shopify's tags that LiquidJS lacks. An unknown tag is an error. */
import {
  type Context,
  type Emitter,
  evalToken,
  ForTag,
  Hash,
  type Liquid,
  type Parser,
  RenderTag,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  type ValueToken,
} from "liquidjs";
import { renderContext } from "./globals.ts";
import { escapeHtml } from "#app/platform/escape-html.ts";

/** `{% section 'cart-drawer' %}` */
class Section extends Tag {
  readonly #name: ValueToken | undefined;
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    this.#name = this.tokenizer.readValue();
  }
  override *render(ctx: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const name: unknown = yield evalToken(this.#name, ctx);
    emitter.write(renderContext(ctx).renderSection(String(name)));
  }
}

/** `{% content_for 'blocks' %}` */
class ContentFor extends Tag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid);
    if (!/^\s*['"]blocks['"]\s*$/.test(token.args))
      throw new Error(`The stand-in knows only content_for 'blocks', not ${token.args}`);
  }
  override *render(ctx: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const section: unknown = ctx.getSync(["section"]);
    const blocks: unknown = ctx.getSync(["section", "blocks"]);
    if (Array.isArray(blocks))
      for (const block of blocks) emitter.write(renderContext(ctx).renderBlock(block, section));
    yield;
  }
}

/** `{% form 'product', product, id: …, class: … %}` */
class Form extends Tag {
  readonly #templates: Template[] = [];
  readonly #product: ValueToken | undefined;
  readonly #attributes: Hash;
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid);
    if (!/^\s*'product',/.test(token.args))
      throw new Error(`The stand-in knows only the form 'product', not ${token.args}`);
    this.tokenizer.readValue();
    this.tokenizer.skipBlank();
    this.tokenizer.advance();
    this.#product = this.tokenizer.readValue();
    this.#attributes = new Hash(this.tokenizer);
    for (;;) {
      const next = remaining.shift();
      if (next === undefined) throw new Error(`${token.name} is not closed`);
      if ("name" in next && next.name === `end${token.name}`) return;
      this.#templates.push(parser.parseToken(next, remaining));
    }
  }
  override *render(ctx: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const product: unknown = yield evalToken(this.#product, ctx);
    const attributes = (yield this.#attributes.render(ctx)) as Record<string, unknown>;
    const written = Object.entries(attributes).map(
      ([name, value]) => ` ${name}="${escapeHtml(String(value))}"`,
    );
    emitter.write(
      `<form method="post" action="/cart/add" accept-charset="UTF-8" enctype="multipart/form-data"${written.join("")}>`,
    );
    emitter.write(
      `<input type="hidden" name="form_type" value="product" /><input type="hidden" name="utf8" value="✓" />`,
    );
    ctx.push({ form: product });
    yield this.liquid.renderer.renderTemplates(this.#templates, ctx, emitter);
    ctx.pop();
    if (typeof product === "object" && product !== null && "id" in product) {
      emitter.write(`<input type="hidden" name="product-id" value="${String(product.id)}" />`);
      const section: unknown = ctx.getSync(["section", "id"]);
      if (typeof section === "string")
        emitter.write(`<input type="hidden" name="section-id" value="${section}" />`);
    }
    emitter.write("</form>");
  }
}

/** `{% render block %}`: an app block of the section. `{% render 'snippet' %}` is LiquidJS's own. */
class Render extends RenderTag {
  override *render(ctx: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    if (this.token.args.trim() !== "block") yield* super.render(ctx, emitter);
    else emitter.write(renderContext(ctx).renderBlock(ctx.getSync(["block"]), ctx.getSync(["section"])));
  }
}

const MAX_ITERATIONS = 50;

/** `{% for %}` ends after 50 iterations. A product's variants and a cart's lines are the exceptions that themes rely on. */
class LimitedFor extends ForTag {
  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, remaining, liquid, parser);
    if (/\.(variants|items)$/.test(this.collection.getText())) return;
    const limit = this.hash.hash["limit"];
    const render = this.hash.render.bind(this.hash);
    this.hash.render = function* (ctx: Context) {
      const given = yield* render(ctx);
      return {
        ...given,
        limit: Math.min(limit === undefined ? MAX_ITERATIONS : Number(given["limit"]), MAX_ITERATIONS),
      };
    };
  }
}

export function addTags(engine: Liquid): void {
  engine.registerTag("render", Render);
  engine.registerTag("for", LimitedFor);
  engine.registerTag("section", Section);
  engine.registerTag("content_for", ContentFor);
  engine.registerTag("form", Form);
  // Deprecated or unknown on Shopify.
  for (const name of ["include", "layout", "block", "tablerow"]) Reflect.deleteProperty(engine.tags, name);
}
