/**
 * Runs before all tests and unpacks the browser once, so that no test file starts a browser that another still unpacks.
 */
import { unpackBrowser } from "./browser.ts";

export default async function unpack(): Promise<void> {
  await unpackBrowser();
}
