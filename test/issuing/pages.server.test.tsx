/** The pages that customers open by a link: anybody can read and use them, on a phone too. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ReactElement } from "react";
import { ClaimPage } from "#app/claims/claim-page.tsx";
import { busyPage, GonePage, writePage } from "#app/customers/customer-document.tsx";
import { InsurePage, type InsureView } from "#app/quotes/of-orders/insure-page.tsx";
import { QuoteLinkPage } from "#app/quotes/of-orders/link-page.tsx";
import { type Language, languages } from "#app/platform/locale.ts";
import { NoSalePage, SalePage } from "#app/draft-orders/sale-page.tsx";
import type { SaleView } from "#app/draft-orders/draft-orders.server.ts";
import { ChoicePage, ConfirmPage, SearchPage } from "#app/withdrawals/withdrawal-page.tsx";
import type { WithdrawalItem, WithdrawalView } from "#app/withdrawals/withdrawal.ts";
import { audit } from "#test/axe.ts";
import { openBrowser } from "#test/browser.ts";

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.newPage({ viewport: { width: 320, height: 640 } });
});
afterAll(() => browser.close());

const item: WithdrawalItem = {
  key: "1-1",
  state: "open",
  withdrawnAt: null,
  isWithoutClaim: true,
  isBeingChecked: false,
  planTitle: "Assurance Smartphone casse et vol, 24 mois",
  insuredTitle: "Smartphone Nova 128 Go",
  contractId: "CT-100042",
  premiumMinor: 5_890,
  currency: "EUR",
  lastDay: "2026-12-25",
};
const now = new Date("2026-11-25T10:00:00Z");
const items: WithdrawalItem[] = [
  item,
  { ...item, key: "1-3", state: "late" },
  { ...item, key: "1-4", state: "withdrawn", withdrawnAt: now },
];
const view: WithdrawalView = {
  shop: "lumen.myshopify.com",
  shopName: "Lumen Électronique",
  isTest: true,
  isMailed: true,
  isRemoved: false,
  timezone: "Europe/Paris",
  orderId: "1",
  orderName: "#1001",
  language: "fr",
  customer: { name: "Ana Blanc", email: "ana@example.com" },
  items,
};
const claims = {
  ...view,
  purchasedAt: now,
  insurer: "Voltigeur",
  // Long enough to make a phone scroll sideways.
  claimContact: `https://insurer.example/${"declaration-de-sinistre-".repeat(8)} ou 01 23 45 67 89`,
  conditions: "https://insurer.example/conditions.pdf",
  insurerPage: "https://insurer.example/sinistres",
  contracts: [
    {
      ...item,
      contractId: "CT-100042",
      insuredPriceMinor: 34_900,
      insuredCurrency: "EUR",
      expiresOn: "2028-11-25",
      conditions: "https://insurer.example/conditions.pdf",
      isStale: true,
      claims: [
        {
          id: "S-1",
          type: "theft",
          approval: "approved" as const,
          status: "pending_repairs",
          filedOn: "2026-11-20",
          closedOn: "2026-11-24",
        },
      ],
    },
  ],
};

const formula = {
  categoryId: "Smartphone Casse",
  name: "Casse",
  covers: [
    {
      name: "Intégrale",
      points: ["Casse accidentelle, écran compris", "Oxydation"],
      exclusions: ["Perte"],
      excess: "50 €",
      limit: "1 500 € par sinistre",
    },
  ],
  legal: [{ text: "Contrat d’assurance de groupe.", language: "fr" }],
  conditions: "https://insurer.example/cg.pdf",
  ipid: "https://insurer.example/ipid.pdf",
  terms: [
    { formula: null, months: 24, priceMinor: 5_890, billing: "annually" as const },
    { formula: "Intégrale", months: 36, priceMinor: 790, billing: "monthly" as const },
  ],
};
const about = {
  insurer: "Example Assurance",
  withdrawalDays: 30,
  sentences: [
    "Insured by Example Assurance, Paris",
    {
      before: "You can withdraw on this page:",
      label: "Withdraw here",
      to: "https://app.example/withdrawals/a",
    },
  ],
};
const insure: InsureView = {
  ...view,
  state: "ready",
  currency: "EUR",
  until: "2026-12-25",
  about,
  items: [
    { key: "1-1", title: "Smartphone Nova 128 Go", formulas: [formula] },
    {
      key: "2-1",
      title: "Tablette <Lumo>",
      formulas: [formula, { ...formula, categoryId: "Tout", name: "Casse et vol" }],
    },
  ],
  quotes: [
    { title: "Casque", link: "https://app.example/quotes/a/b", isPending: false },
    { title: "Montre", link: null, isPending: true },
    { title: "Radio", link: null, isPending: false },
  ],
};

const sale: SaleView = {
  ...view,
  state: "ready",
  name: "#D1",
  currency: "EUR",
  until: "2026-12-02",
  about,
  problem: null,
  lines: [
    {
      uuid: "1",
      title: "Smartphone <Nova>",
      quantity: 3,
      insured: 1,
      reason: null,
      documents: [{ name: "Casse", conditions: formula.conditions, ipid: formula.ipid }],
      covers: formula.covers,
      legal: formula.legal,
      offers: formula.terms.map((term) => ({ ...term, reference: `REF-${term.months}` })),
    },
    {
      uuid: "2",
      title: "Tablette",
      quantity: 1,
      insured: 0,
      reason: null,
      documents: [{ name: "", conditions: formula.conditions, ipid: formula.ipid }],
      covers: [],
      legal: [],
      offers: formula.terms.map((term) => ({ ...term, reference: `REF-${term.months}` })),
    },
  ],
  confirmed: [{ title: item.planTitle, quantity: 1, consent: "Par le lien personnel du client" }],
};

const entered = { order: "#1001", email: "ana@example.com" };

const pages: Record<string, (language: Language) => ReactElement> = {
  "what may be withdrawn from": (language) => <ChoicePage view={view} language={language} isRefused />,
  "an order with nothing to withdraw from": (language) => (
    <ChoicePage view={{ ...view, items: [] }} language={language} />
  ),
  "the withdrawal's second step": (language) => (
    <ConfirmPage view={view} chosen={[item]} language={language} isMalformed />
  ),
  "the second step of an erased customer": (language) => (
    <ConfirmPage view={{ ...view, customer: null }} chosen={[item]} language={language} />
  ),
  "the search by order number": (language) => (
    <SearchPage merchant={{ shop: view.shop, name: view.shopName }} language={language} notFound={entered} />
  ),
  "a link that is not valid": (language) => <GonePage language={language} />,
  "a claim's page": (language) => <ClaimPage view={claims} language={language} />,
  "a claim's page without a contract": (language) => (
    <ClaimPage view={{ ...claims, contracts: [] }} language={language} />
  ),
};
const cases = Object.keys(pages).flatMap((name) => languages.map((language) => [name, language] as const));

async function expectUsable(html: string): Promise<void> {
  await page.setContent(html);
  expect(await audit(page, "body")).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
}

it.each(cases)("%s can be used by anybody, and fits a phone: %s", async (name, language) => {
  const make = pages[name];
  expect(make).toBeDefined();
  if (make) await expectUsable(writePage(make(language)));
});

it.each(languages)("too many attempts are told to anybody, and fit a phone: %s", async (language) => {
  await expectUsable(await busyPage(language, 60).text());
});

it.each(languages)(
  "what a quote's link leads to can be used by anybody, and fits a phone: %s",
  async (language) => {
    for (const which of ["gone", "stop", "stopped"] as const)
      await expectUsable(writePage(<QuoteLinkPage which={which} language={language} />));
  },
);

it.each(languages)(
  "insurance after the purchase can be chosen by anybody, and fits a phone: %s",
  async (language) => {
    const states = ["gone", "late", "unavailable", "customer_missing", "pending"] as const;
    const views = [
      <InsurePage view={insure} language={language} alert="choose" />,
      <InsurePage view={{ ...insure, items: [], quotes: [] }} language={language} />,
      <InsurePage view={insure} language={language} isDeclined />,
      ...states.map((state) => <InsurePage view={{ state }} language={language} />),
      <SalePage view={sale} language={language} alert="changed" />,
      <SalePage view={sale} language={language} isDeclined />,
      <SalePage view={{ ...sale, problem: "completed", lines: [] }} language={language} />,
      ...(["gone", "expired", "unavailable"] as const).map((why) => (
        <NoSalePage why={why} language={language} />
      )),
    ];
    for (const view of views) {
      await expectUsable(writePage(view));
      expect(await page.locator(":checked:not(option)").count()).toBe(0);
    }
  },
);
