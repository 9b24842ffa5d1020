/**
 * Names in comments and docs must exist: `npm run mentions`. A file name has to be a file's; an identifier has to occur
 * in the code. Exits 1 with the stale ones, if there are any.
 */
import { readFileSync, readdirSync } from "node:fs";
import { basename, extname, join, relative } from "node:path";
import ts from "typescript";

const root = join(import.meta.dirname, "..");
/** Installed, generated, or history that keeps the names of its time. */
const skipped =
  /(^|\/)(node_modules|build|dist|\.\w+)\/|^app\/platform\/prisma\/|^prisma\/migrations\/|-lock\.json$/;
/** Placeholders, scripts of themes, other projects' words, and names that decisions keep from before. */
const foreign = new Set(
  "x.ts x.server.ts x.server.test.ts cart.js pubsub.js productCreate devDependency AttachmentBlock jsxImportSource iPhones".split(
    " ",
  ),
);
/** The docs of the storefront name files of the themes that it was tried against; operators run what is built. */
const foreignIn: Record<string, RegExp> = {
  "docs/storefront.md": /\.js$/,
  "docs/operations.md": /^build\/processes\//,
};

const fileName =
  /(?<![/\w-])[\w@$*][\w@$.*/[\]-]*\.(?:tsx?|m?js|md|prisma|sql|liquid|css|toml|ya?ml)\b(?![/(\w])/g;
const identifier = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?:\(.*\))?$/;
const hump = /[a-z\d][A-Z]/;

/** Comments in files that are not scripts; docs are prose as a whole. */
const comments: Record<string, RegExp> = {
  ".md": /[\s\S]+/g,
  ".prisma": /\/\/.*/g,
  ".liquid": /\{%-?\s*(comment|doc)\s*-?%\}[\s\S]*?\{%-?\s*end\1\s*-?%\}/g,
  ".css": /\/\*[\s\S]*?\*\//g,
  ".toml": /#.*/g,
};
const scriptComments = /\/\*[\s\S]*?\*\/|\/\/.*/g;

const blank = (text: string): string => text.replace(/[^\n]/g, " ");

/** Blanks what may look like a comment without being one: strings, templates, regular expressions, text of JSX. */
function withoutLiterals(file: string, text: string): string {
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false, kind);
  let masked = "";
  let end = 0;
  const visit = (node: ts.Node): void => {
    if (
      ts.isLiteralExpression(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isJsxText(node)
    ) {
      const start = node.getStart(source);
      masked += text.slice(end, start) + blank(text.slice(start, node.end));
      end = node.end;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return masked + text.slice(end);
}

/** A file's comments and its code, each with the other blanked, so that lines stay where they are. */
function partsOf(file: string): { file: string; prose: string; code: string } {
  const text = readFileSync(join(root, file), "utf8");
  const script = /\.([cm]?js|tsx?)$/.test(file);
  const pattern = script ? scriptComments : comments[extname(file)];
  let prose = "";
  let code = "";
  let end = 0;
  const searched = script ? withoutLiterals(file, text) : text;
  for (const { 0: comment, index } of pattern ? searched.matchAll(pattern) : []) {
    const between = text.slice(end, index);
    prose += blank(between) + comment;
    code += between + blank(comment);
    end = index + comment.length;
  }
  return { file, prose: prose + blank(text.slice(end)), code: code + text.slice(end) };
}

/** A name without a folder is looked for in the room of the file that mentions it; docs mention files of all rooms. */
const roomOf = (file: string): string => /^(app|test|extensions)\/[^/]+\//.exec(file)?.[0] ?? "";

function isFile(name: string, mentionedIn: string, files: Map<string, string[]>): boolean {
  if (foreignIn[mentionedIn]?.test(name)) return true;
  const known = name.includes("*") ? [...files.values()].flat() : (files.get(basename(name)) ?? []);
  const path = name
    .replace(/^(\.{1,2}\/)+/, "")
    .replace(/[.$[\]]/g, "\\$&")
    .replaceAll("*", "[^/]*");
  const pattern = new RegExp(`^(.*/)?${path}$`);
  const room = name.includes("/") ? "" : roomOf(mentionedIn);
  return known.some((file) => (file.startsWith(room) || !file.includes("/")) && pattern.test(file));
}

function staleMentions(): string[] {
  const names = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !skipped.test(file));
  const files = Map.groupBy(names, (file) => basename(file));
  const parts = names.map(partsOf);
  const words = new Set(parts.flatMap(({ code }) => code.match(/[A-Za-z_$][\w$]*/g) ?? []));
  const isCode = (name: string): boolean =>
    name
      .replace(/\(.*/, "")
      .split(".")
      .every((part) => !hump.test(part) || words.has(part));
  return parts.flatMap(({ file, prose }) => {
    const stale = [
      ...[...prose.matchAll(fileName)].filter(([name]) => !isFile(name, file, files)),
      ...[...prose.matchAll(/(?<=`)[^`\n]+(?=`)/g)].filter(
        ([name]) => identifier.test(name) && !isCode(name),
      ),
      ...[...prose.matchAll(/(?<!`)\b[a-z]+[A-Z]\w*/g)].filter(([name]) => !isCode(name)),
    ];
    return stale
      .filter(([name]) => !foreign.has(name))
      .map(({ 0: name, index }) => `${file}:${prose.slice(0, index).split("\n").length} ${name}`);
  });
}

const stale = staleMentions();
console.log(stale.length === 0 ? "Mentions: all exist" : stale.join("\n"));
process.exitCode = stale.length === 0 ? 0 : 1;
