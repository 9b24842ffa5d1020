/** Runs before each test file that imports the app (vitest.config.ts), and stops what the file started. */
import { afterAll } from "vitest";
import { closeWorld, openWorld } from "./world.ts";

await openWorld();
afterAll(closeWorld);
