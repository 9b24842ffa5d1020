/** Runs before all tests: the browser is unpacked once, so that no test file starts one that another still unpacks. */
import chromium from "@sparticuz/chromium";

export default async function unpack(): Promise<void> {
  await chromium.executablePath();
}
