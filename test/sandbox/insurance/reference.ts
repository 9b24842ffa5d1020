/** The stand-in's description of itself: OpenAPI 3.1 at /openapi.json, and the same as a page to read at /. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { Hono, type Env } from "hono";

export function reference<E extends Env>(endpoints: OpenAPIHono<E>, baseUrl: string): Hono {
  const document = endpoints.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Insurance offer integration service (stand-in)", version: "v2" },
    servers: [{ url: baseUrl }],
  });
  const app = new Hono();
  app.get("/openapi.json", (c) => c.json(document));
  return app;
}
