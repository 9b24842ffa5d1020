/** Every GraphQL operation of the app against the published schema: none is invalid, none uses deprecated fields. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { NoDeprecatedCustomRule, parse, specifiedRules, validate } from "graphql";
import ts from "typescript";
import { expect, it } from "vitest";
import { adminSchema } from "#test/sandbox/shop/api/schema.ts";

interface Operation {
  file: string;
  text: string;
}

const modules = new Map<string, ts.SourceFile>();

function moduleOf(file: string): ts.SourceFile {
  const known = modules.get(file);
  if (known) return known;
  const parsed = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  modules.set(file, parsed);
  return parsed;
}

/** The text of a template, with the constants that it names, from this module or another. */
function textOf(node: ts.Expression, file: string): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans.reduce(
      (text, { expression, literal }) => text + textOf(expression, file) + literal.text,
      node.head.text,
    );
  }
  if (ts.isIdentifier(node)) return constantOf(node.text, file);
  throw new Error(`${file}: an operation holds ${node.getText()}, which is no constant text`);
}

function constantOf(name: string, file: string): string {
  for (const statement of moduleOf(file).statements) {
    if (ts.isVariableStatement(statement)) {
      const found = statement.declarationList.declarations.find((each) => each.name.getText() === name);
      if (found?.initializer) return textOf(found.initializer, file);
    }
    if (ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)) {
      const bindings = statement.importClause?.namedBindings;
      if (!bindings || !ts.isNamedImports(bindings)) continue;
      if (!bindings.elements.some((each) => each.name.text === name)) continue;
      const from = statement.moduleSpecifier.text;
      return constantOf(name, from.startsWith("#") ? from.slice(1) : join(dirname(file), from));
    }
  }
  throw new Error(`${file}: ${name} is no constant text`);
}

/** Templates marked `#graphql`, and those that begin with an operation or with their fragments. */
function operationsIn(file: string): Operation[] {
  const found: Operation[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const start = ts.isTemplateExpression(node) ? node.head.text : node.text;
      const isOperation = /^\s*(#graphql|(query|mutation) \w+\s*[({])/.test(start);
      if (isOperation || /^`\$\{.*\} (query|mutation) \w+\(/.test(node.getText())) {
        found.push({ file, text: textOf(node, file) });
        return;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(moduleOf(file));
  return found;
}

const operations = globSync("app/**/*.ts", { exclude: (name) => name.includes("app/platform/prisma") })
  .filter((file) => /#graphql|(query|mutation) Parasol/.test(readFileSync(file, "utf8")))
  .flatMap(operationsIn)
  // A fragment that other operations include.
  .filter(({ text }) => !/^\s*#graphql\s+fragment/.test(text) || /\b(query|mutation) Parasol/.test(text));

it("finds the operations", () => {
  expect(operations.length).toBeGreaterThan(45);
});

it.each(
  operations.map((each) => [/(?:query|mutation) (\w+)/.exec(each.text)?.[1] ?? each.file, each] as const),
)("%s is valid and uses nothing deprecated", (_name, { text }) => {
  const problems = validate(adminSchema().schema, parse(text), [...specifiedRules, NoDeprecatedCustomRule]);
  expect(problems.map(({ message }) => message)).toEqual([]);
});
