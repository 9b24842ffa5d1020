import { defineConfig } from "prisma/config";

// The CLI (`prisma migrate`, `prisma studio`) works on the server that DATABASE_URL names; the app itself passes its
// own connection (app/platform/db.server.ts).
export default defineConfig({
  schema: "prisma",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env["DATABASE_URL"] ?? "" },
});
