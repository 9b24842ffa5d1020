/** Runs before all tests and keeps Node's compiled code, for the test workers and for each start of the app. */
import { join } from "node:path";

export default function keepCompiled(): void {
  process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "..", "node_modules", ".cache", "compiled");
}
