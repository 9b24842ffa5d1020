/**
 * The baseline of the intake, in a process of its own: a bare Fastify route that verifies the HMAC over the raw body
 * and inserts one row. It has no shops, no deduplication and no job.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import Fastify from "fastify";
import pg from "pg";

const secret = process.env["SHOPIFY_API_SECRET"] ?? "";
const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 16 });
await pool.query("CREATE TABLE IF NOT EXISTS bare_event (id text PRIMARY KEY, body text NOT NULL)");

const server = Fastify();
server.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) =>
  done(null, body),
);
server.post<{ Body: Buffer }>("/webhooks", async (request, reply) => {
  const expected = createHmac("sha256", secret).update(request.body).digest();
  const given = Buffer.from(String(request.headers["x-shopify-hmac-sha256"]), "base64");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return reply.code(401).send();
  await pool.query({
    name: "insert",
    text: "INSERT INTO bare_event (id, body) VALUES ($1, $2)",
    values: [request.headers["x-shopify-event-id"], request.body.toString("utf8")],
  });
  return reply.code(200).send();
});
const address = await server.listen({ port: Number(process.env["PORT"]), host: "127.0.0.1" });
process.stdout.write(`${JSON.stringify({ listening: address })}\n`);
