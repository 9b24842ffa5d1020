/** What axe finds on our widgets, in short. */
import type { Page } from "playwright-core";
import { audit } from "#test/axe.ts";

/** Every violation of WCAG 2.2 AA or of good practice, of any impact, as `rule: element`. */
export async function violations(
  page: Page,
  within = ".parasol, parasol-offer, parasol-cart",
): Promise<string[]> {
  const findings = await audit(page, within);
  return findings.map(({ rule, element }) => `${rule}: ${element.slice(0, 120)}`);
}
