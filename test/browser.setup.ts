/**
 * Runs before all tests and unpacks the browser once, so that no test file starts a browser that another still unpacks.
 */
import chromium from "@sparticuz/chromium";

export default async function unpack(): Promise<void> {
  await chromium.executablePath();
}
