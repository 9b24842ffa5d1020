/** The stand-in's description of itself: OpenAPI 3.1 at /openapi.json, and the same as a page to read at /. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { Hono, type Env } from "hono";
import { html } from "hono/html";
import { z } from "zod";

/** The part of OpenAPI's schema object that the page shows. */
interface Shape {
  $ref?: string;
  type?: string | string[];
  description?: string;
  example?: unknown;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  default?: unknown;
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  anyOf?: Shape[];
}

const shape: z.ZodType<Shape> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
    example: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    format: z.string().optional(),
    pattern: z.string().optional(),
    default: z.unknown().optional(),
    properties: z.record(z.string(), shape).optional(),
    required: z.array(z.string()).optional(),
    items: shape.optional(),
    anyOf: z.array(shape).optional(),
  }),
);
const content = z.object({ "application/json": z.object({ schema: shape }) }).optional();
const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  parameters: z
    .array(
      z.object({ name: z.string(), in: z.string(), required: z.boolean().default(false), schema: shape }),
    )
    .default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content })),
});
const description = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), shape) }),
});

const ABOUT = `A stand-in of the insurance offer integration service, for tests, demonstrations and offline work.
It keeps everything in memory. What the service's document leaves open is one choice of several here, and the control
address changes it: wrappings, date formats, amounts, faults.`;

/** @param endpoints the eleven endpoints, whose schemas are also what checks the requests */
export function referencePage<E extends Env>(endpoints: OpenAPIHono<E>, baseUrl: string): Hono {
  const document = endpoints.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Insurance offer integration service (stand-in)", version: "v2", description: ABOUT },
    servers: [{ url: baseUrl }],
  });
  const page = pageOf(description.parse(document));
  const app = new Hono();
  app.get("/openapi.json", (c) => c.json(document));
  app.get("/", (c) => c.html(page));
  return app;
}

type Html = ReturnType<typeof html>;

function pageOf({ info, paths, components }: z.infer<typeof description>): Html {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, value]) => ({ path, method: method.toUpperCase(), ...value })),
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title}</title>
        <style>
          body {
            font:
              1rem/1.5 system-ui,
              sans-serif;
            max-width: 60rem;
            margin: 2rem auto;
            padding: 0 1rem;
          }
          table {
            border-collapse: collapse;
            width: 100%;
            margin: 0.5rem 0 1rem;
          }
          th,
          td {
            border: 1px solid #ccc;
            padding: 0.25rem 0.5rem;
            text-align: left;
            vertical-align: top;
            overflow-wrap: anywhere;
          }
          th {
            overflow-wrap: normal;
          }
          h3 {
            margin: 2rem 0 0.5rem;
            overflow-wrap: anywhere;
          }
        </style>
      </head>
      <body>
        <h1>${info.title}</h1>
        <p>${info.description}</p>
        <p>
          The same for machines: <a href="/openapi.json">openapi.json</a>. Store endpoints take
          <code>Authorization: Bearer TOKEN</code>, the analytics take their token in the query.
        </p>
        <h2>Endpoints</h2>
        <ul>
          ${operations.map(
            (one) =>
              html`<li>
                <a href="#${one.operationId}"><code>${one.method} ${one.path}</code></a
                >: ${one.summary}
              </li>`,
          )}
        </ul>
        ${operations.map(operationPart)}
        <h2>Objects</h2>
        ${Object.entries(components.schemas).map(
          ([name, value]) =>
            html`<h3 id="${name}">${name}</h3>
              ${fields(value)}`,
        )}
      </body>
    </html>`;
}

function operationPart(one: z.infer<typeof operation> & { path: string; method: string }): Html {
  const body = one.requestBody?.content?.["application/json"].schema;
  return html`<h3 id="${one.operationId}"><code>${one.method} ${one.path}</code></h3>
    <p>${one.summary} (<code>${one.operationId}</code>)</p>
    ${
      one.parameters.length === 0
        ? ""
        : html`<table>
            <tr>
              <th>Parameter</th>
              <th>In</th>
              <th>Type</th>
              <th>Notes</th>
            </tr>
            ${one.parameters.map(
              (parameter) =>
                html`<tr>
                  <td><code>${parameter.name}</code>${parameter.required ? "" : " (optional)"}</td>
                  <td>${parameter.in}</td>
                  <td>${typeOf(parameter.schema)}</td>
                  <td>${notes(parameter.schema)}</td>
                </tr>`,
            )}
          </table>`
    }
    ${body ? html`<p>Sent: ${typeOf(body)}</p>` : ""}
    <table>
      <tr>
        <th>Status</th>
        <th>Answer</th>
        <th>Meaning</th>
      </tr>
      ${Object.entries(one.responses).map(
        ([status, { description: meaning, content: answer }]) =>
          html`<tr>
            <td>${status}</td>
            <td>${answer ? typeOf(answer["application/json"].schema) : "any"}</td>
            <td>${meaning}</td>
          </tr>`,
      )}
    </table>`;
}

function fields({ properties = {}, required = [] }: Shape): Html {
  return html`<table>
    <tr>
      <th>Field</th>
      <th>Type</th>
      <th>Notes</th>
    </tr>
    ${Object.entries(properties).map(
      ([name, value]) =>
        html`<tr>
          <td><code>${name}</code>${required.includes(name) ? "" : " (optional)"}</td>
          <td>${typeOf(value)}</td>
          <td>${notes(value)}</td>
        </tr>`,
    )}
  </table>`;
}

function typeOf(value: Shape): Html {
  if (value.$ref !== undefined) {
    const name = value.$ref.replace("#/components/schemas/", "");
    return html`<a href="#${name}">${name}</a>`;
  }
  if (value.anyOf)
    return html`${value.anyOf.map((one, index) => html`${index === 0 ? "" : " or "}${typeOf(one)}`)}`;
  if (value.items) return html`array of ${typeOf(value.items)}`;
  if (value.properties) {
    const parts = Object.entries(value.properties);
    // A wrapping is shown as such; what has more in it is a list.
    if (parts.length === 1)
      return html`${parts.map(([name, one]) => html`{ <code>${name}</code>: ${typeOf(one)} }`)}`;
    return html`object
      <ul>
        ${parts.map(([name, one]) => html`<li><code>${name}</code>: ${typeOf(one)}</li>`)}
      </ul>`;
  }
  if (value.enum) return html`${value.enum.map((one) => JSON.stringify(one)).join(", ")}`;
  const type = Array.isArray(value.type) ? value.type.join(" or ") : (value.type ?? "any");
  return html`${type}${value.format === undefined ? "" : ` (${value.format})`}`;
}

function notes({ description: words, example, pattern, default: preset }: Shape): string {
  return [
    words,
    example === undefined ? undefined : `e.g. ${JSON.stringify(example)}`,
    pattern === undefined ? undefined : `matches ${pattern}`,
    preset === undefined ? undefined : `default ${JSON.stringify(preset)}`,
  ]
    .filter((note) => note !== undefined)
    .join("; ");
}
