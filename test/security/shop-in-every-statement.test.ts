/**
 * The shop in every statement separates the shops (docs/decisions/0011-personal-data.md). This test reads the source of
 * every statement on a table with a `shop` column and fails if the statement does not select by it.
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

/** Statements across shops, by file and enclosing function, with the reason. */
const acrossShops: Record<string, string> = {
  "app/privacy/shop-erasure.server.ts eraseDueShops": "the schedule: the shops that are due",
  "app/privacy/shop-erasure.server.ts scheduleAbandonedShops": "the schedule: the shops that left long ago",
  "app/merchants/accounts.server.ts sealedTokens": "a new encryption key: what all shops have sealed",
  "app/merchants/data-key.server.ts sealedDataKeys": "a new encryption key: what all shops have sealed",
  "app/merchants/merchant.server.ts merchantShops": "part of a statement that compares its shop",
  "app/issuing/probe-account.server.ts findUnprobedAccounts": "the schedule: the accounts that are paused",
  "app/privacy/order-privacy.server.ts ordersWithCustomer": "part of a statement that compares its shop",
  // A session's id contains its shop, and comes from a verified session token or from Shopify.
  "app/shopify/sessions.server.ts acquireRefreshLock": "by session id",
  "app/shopify/sessions.server.ts deleteSession": "by session id",
  "app/shopify/sessions.server.ts deleteSessions": "by session id",
  "app/shopify/sessions.server.ts loadSession": "by session id",
  "app/shopify/sessions.server.ts releaseRefreshLock": "by session id",
  "app/shopify/sessions.server.ts sealedSessions": "a new encryption key: what all shops have sealed",
  "app/shopify/sessions.server.ts storeSession": "by session id",
  "app/shopify/sessions.server.ts updateSessionScopes": "by session id",
  "app/inbox/erase-customer.server.ts erasing": "the beginning of statements that go on with a shop",
};

const models = readdirSync("prisma")
  .filter((file) => file.endsWith(".prisma"))
  .flatMap((file) => [...readFileSync(join("prisma", file), "utf8").matchAll(/^model (\w+) \{(.*?)^\}/gms)])
  .filter(([, , fields = ""]) => /^\s+shop\s+String/m.test(fields))
  .map(([, name = ""]) => name);
const delegates = new Set(models.map((name) => name.charAt(0).toLowerCase() + name.slice(1)));
const operations =
  /^(find(Unique|First)(OrThrow)?|findMany|create|createMany|createManyAndReturn|update|updateMany|updateManyAndReturn|upsert|delete|deleteMany|count|aggregate|groupBy)$/;
const tableUse = new RegExp(`\\b(FROM|JOIN|INTO|UPDATE|USING)\\s+(ONLY\\s+)?"(${models.join("|")})"`);
/** `shop = …`, `o.shop = …`, `(shop, …)`, `INSERT INTO "Task" (id, shop, …)` */
const selectsShop = /\bshop\b"?\s*(=|IN\b)|\(\s*(\w+,\s*)*shop\b/i;

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith("platform/prisma/"))
    .map((file) => join(folder, file));
}

/** The name of a property says nothing about a variable of that name. */
const isLabel = (node: ts.Identifier): boolean =>
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node) ||
  (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node);

/** Whether a declaration is at the top level or in a function around the node. */
function isVisible(declaration: ts.Node, node: ts.Node): boolean {
  const around = ts.findAncestor(declaration.parent, ts.isFunctionLike);
  return around === undefined || (around.pos <= node.pos && node.end <= around.end);
}

/** The text of a node, with the file's own constants inlined: a condition may be built before. */
function resolved(node: ts.Node, source: ts.SourceFile, depth = 3): string {
  const text = node.getText(source);
  if (depth === 0) return text;
  const parts: string[] = [];
  const declared = (name: string) => {
    const visit = (each: ts.Node): void => {
      if (ts.isVariableDeclaration(each) && each.name.getText(source) === name && isVisible(each, node)) {
        const value = each.initializer;
        const isAround = value !== undefined && value.pos <= node.pos && node.end <= value.end;
        if (value !== undefined && !isAround) parts.push(resolved(value, source, depth - 1));
      } else ts.forEachChild(each, visit);
    };
    visit(source);
  };
  const names = (each: ts.Node): void => {
    if (ts.isIdentifier(each) && !isLabel(each)) declared(each.text);
    ts.forEachChild(each, names);
  };
  names(node);
  return [text, ...parts].join("\n");
}

/** The function or the constant that contains the node. */
function enclosingName(node: ts.Node): string {
  const named = ts.findAncestor(
    node,
    (at) =>
      ts.isFunctionDeclaration(at) ||
      ts.isMethodDeclaration(at) ||
      (ts.isVariableDeclaration(at) && ts.findAncestor(at.parent, ts.isFunctionLike) === undefined),
  );
  const isNamed =
    named !== undefined &&
    (ts.isFunctionDeclaration(named) || ts.isMethodDeclaration(named) || ts.isVariableDeclaration(named));
  return isNamed ? (named.name?.getText() ?? "") : "";
}

/** The part of a call that decides the rows: its condition, or the created data. */
function isWithinShop(call: ts.CallExpression, source: ts.SourceFile): boolean {
  const [requested] = call.arguments;
  if (requested === undefined) return false;
  if (!ts.isObjectLiteralExpression(requested)) return /\bshop(_\w+)?\b/.test(resolved(requested, source));
  const deciding = requested.properties.filter(
    (each) => each.name !== undefined && ["where", "data", "create"].includes(each.name.getText(source)),
  );
  const where = deciding.find((each) => each.name?.getText(source) === "where");
  const decisive = where ? [where] : deciding;
  return decisive.some((each) => /\bshop(_\w+)?\b/.test(resolved(each, source)));
}

function openStatements(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      operations.test(node.expression.name.text) &&
      ts.isPropertyAccessExpression(node.expression.expression) &&
      delegates.has(node.expression.expression.name.text) &&
      !isWithinShop(node, source)
    )
      found.push(`${file} ${enclosingName(node)}`);
    if (ts.isTaggedTemplateExpression(node)) {
      const text = node.template.getText(source);
      if (tableUse.test(text) && !selectsShop.test(resolved(node.template, source)))
        found.push(`${file} ${enclosingName(node)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test("every statement on a shop's table selects by the shop, but for those that are about all shops", () => {
  const open = new Set(filesIn("app").flatMap(openStatements));
  expect([...open].toSorted()).toEqual(Object.keys(acrossShops).toSorted());
});
