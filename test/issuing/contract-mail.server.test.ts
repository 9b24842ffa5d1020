/** Customers are mailed which contracts they have, once they are active. */
import { describe, expect, it } from "vitest";
import { categoryKey } from "#app/catalogue/sync/compact-catalogue.ts";
import { keepDocuments } from "#app/documents/legal-documents.server.ts";
import { claimLink, insureLink, withdrawalLink } from "#app/customers/customer-links.server.ts";
import { db } from "#app/platform/db.server.ts";
import { storefrontSettings } from "#app/offers/storefront-settings.ts";
import { languages } from "#app/platform/locale.ts";
import { reconcileOrder } from "#app/issuing/reconcile-order.server.ts";
import { action as actOnOrder, loader as openOrder } from "#app/routes/app.orders.$orderId/route.tsx";
import { action as saveSettings } from "#app/routes/app.settings/route.tsx";
import { contractMail } from "#app/issuing/contract-mail.ts";
import { refused, success } from "#app/ui/action-result.ts";
import { describeCategories } from "#test/documents/described-categories.ts";
import { eventually } from "#test/eventually.ts";
import { listEvents, listItems, setUpSellingShop } from "#test/orders/selling-shop.ts";
import { ask } from "#test/routes/ask.ts";
import { DOCUMENTS } from "#test/sandbox/insurance/catalogue.ts";
import type { Order } from "#test/sandbox/shop/state.ts";
import { insurance, mailbox, shop } from "#test/world.ts";

const selling = setUpSellingShop();
const domain = shop.shopDomain;
const conditions = "https://insurer.example/cg-2026.pdf";
const insurer = `${DOCUMENTS}/documents/smartphone`;

const mailsTo = ({ email }: Order) => mailbox.received.filter(({ to }) => to.includes(email ?? ""));

const describeCategory = (legal = { conditionsUrl: conditions, ipidUrl: "javascript:alert(1)" }) =>
  describeCategories(domain, { bulletPoints: ["Casse & vol", "<b>Oxydation</b>"] }, legal);

it("mails are in the shop's name, and answers go to its address", async () => {
  const saved = await ask(saveSettings, "/app/settings", {
    json: { intent: "save", settings: { replyTo: "bonjour@one.example" } },
  });
  expect(saved).toMatchObject({ state: "success" });
  const order = await selling.buyAndIssue();
  const mail = await eventually(() => mailsTo(order)[0] ?? null);
  const { name } = await db.merchant.findUniqueOrThrow({ where: { shop: domain } });
  expect(mail.headers["from"]).toContain("insurance@");
  expect(mail.headers["reply-to"]).toContain("bonjour@one.example");
  expect(mail.html).toContain(`>${name === "" ? domain : name}</p>`);
  expect(mail.html).not.toMatch(/<img|<link|<script|url\(/);
});

describe("a customer whose order is insured", () => {
  it("is mailed number, cover, price, term, documents, and how to withdraw and claim", async () => {
    await describeCategory();
    const saved = await ask(saveSettings, "/app/settings", {
      json: { intent: "save", settings: { claimContact: "sinistres@insurer.example" } },
    });
    expect(saved).toMatchObject({ state: "success" });
    const order = await selling.buyAndIssue({ locale: "fr-FR" });
    const mail = await eventually(() => mailsTo(order)[0] ?? null);
    const [item] = await listItems(order);
    const said = mail.text.replaceAll(/[\u00A0\u202F]/g, " ");
    for (const part of [
      item?.contractId ?? "?",
      order.name,
      `Payé : ${((item?.premiumMinor ?? 0) / 100).toFixed(2).replace(".", ",")} €`,
      `Durée : ${item?.termMonths} mois`,
      "– Casse & vol",
      `Conditions générales : ${conditions}`,
      "Renoncer au contrat ici",
      withdrawalLink(domain, order.id),
      `Déclarer un sinistre :\n${claimLink(domain, order.id)}`,
      "Ou contactez l’assureur : sinistres@insurer.example",
      "contrats de test",
    ])
      expect(said).toContain(part);
    expect(mail.subject).toContain("Votre assurance");
    expect(mail.html).toContain(`href="${conditions}">Conditions générales</a>`);
    expect(mail.html).toContain(`href="mailto:sinistres@insurer.example">sinistres@insurer.example</a>`);
    // The insurer's texts are no markup, what is no link is left out, and nothing is loaded from elsewhere.
    expect(mail.html).toContain("&lt;b&gt;Oxydation&lt;/b&gt;");
    expect(mail.html).not.toMatch(/javascript:|<img|<link|<script|url\(/);
    expect(await listEvents(order, "mailed")).toHaveLength(1);
  });

  it("gets the conditions and the IPID as they were at the sale, whatever their addresses answer later", async () => {
    const documents = { conditionsUrl: `${insurer}/conditions-generales`, ipidUrl: `${insurer}/ipid` };
    await describeCategory(documents);
    await keepDocuments(domain, AbortSignal.timeout(10_000));
    const order = selling.buyInsured({ locale: "fr-FR" });
    await eventually(async () => expect(await listItems(order)).not.toEqual([]));
    await db.legalDocument.create({
      data: {
        shop: domain,
        address: documents.ipidUrl,
        sha256: "later",
        contentType: "text/html",
        content: Buffer.from("Later"),
        seenAt: new Date(Date.now() + 60_000),
      },
    });
    const mail = await eventually(() => mailsTo(order)[0] ?? null);
    expect(mail.text).toContain("sont joints à cet e-mail");
    expect(mail.attachments.map(({ filename }) => filename)).toEqual([
      "Smartphone casse et vol – Conditions générales.html",
      "Smartphone casse et vol – Document d’information (IPID).html",
    ]);
    const kept = await db.legalDocument.findMany({
      where: { shop: domain, address: { in: Object.values(documents) }, sha256: { not: "later" } },
      orderBy: { address: "asc" },
    });
    expect(mail.attachments.map(({ content }) => content.toString("hex"))).toEqual(
      kept.map(({ content }) => Buffer.from(content).toString("hex")),
    );
    // The later document is none of the sale's.
    await db.legalDocument.deleteMany({ where: { shop: domain } });
  });

  it("reads of a monthly contract what each month costs, and all of them", async () => {
    await describeCategory();
    const ofShop = { where: { shop: domain } };
    const sale = { monthly: true, registrationNumber: "07 001 234" };
    const saved = await ask(saveSettings, "/app/settings", { json: { intent: "save", settings: { sale } } });
    expect(saved).toMatchObject({ state: "success" });
    await db.reference.updateMany({ ...ofShop, data: { billing: "monthly" } });
    const order = await selling.buyAndIssue({ locale: "fr-FR" });
    const mail = await eventually(() => mailsTo(order)[0] ?? null);
    await db.reference.updateMany({ ...ofShop, data: { billing: "annually" } });
    const [item] = await listItems(order);
    const euros = (minor = 0) => `${(minor / 100).toFixed(2).replace(".", ",")} €`;
    const [price, months] = [item?.offerPriceMinor ?? 0, item?.termMonths ?? 0];
    const said = mail.text.replaceAll(/(?<=\d)[\u00A0\u202F](?=\d)/g, "").replaceAll(/[\u00A0\u202F]/g, " ");
    expect(said).toContain(
      `${months} mois : ${euros(price)} par mois, ${euros(price * months)} au total\nPayé : ${euros(item?.premiumMinor)}`,
    );
  });

  it("reads what is covered in the merchant's words, and in no other language than theirs or the insurer's", async () => {
    await describeCategory();
    const german = await selling.buyAndIssue({ locale: "de" });
    const first = await eventually(() => mailsTo(german)[0] ?? null);
    expect(first.text).not.toContain("Casse & vol");
    const categories = await db.category.findMany({ where: { shop: domain } });
    const own = new Map(
      categories.map(({ categoryId }) => [categoryKey(categoryId), { bullets: ["Écran compris"] }]),
    );
    const settings = storefrontSettings.parse({ covers: { fr: Object.fromEntries(own) } });
    const create = { shop: domain, settings };
    await db.storefrontSettings.upsert({ where: { shop: domain }, create, update: { settings } });
    const french = await selling.buyAndIssue({ locale: "fr-FR" });
    const second = await eventually(() => mailsTo(french)[0] ?? null);
    expect(second.text).toContain("– Écran compris");
    expect(second.text).not.toContain("Casse & vol");
    await db.storefrontSettings.delete({ where: { shop: domain } });
  });

  it("finds in it the way to insure what is not insured, where something is left", async () => {
    const order = selling.buyInsured({ quantity: 2, plans: 1, locale: "fr-FR" });
    const mail = await eventually(() => mailsTo(order)[0] ?? null);
    const link = insureLink(domain, order.id, "post_purchase_email");
    expect(mail.text).toContain(link);
    expect(mail.html).toContain(`href="${link}">L’assurer ici</a>`);
    const whole = await selling.buyAndIssue();
    const other = await eventually(() => mailsTo(whole)[0] ?? null);
    expect(other.text).not.toContain("/insure/");
  });

  it("gets one mail about all contracts of the order, however often it is reconciled", async () => {
    const order = await selling.buyAndIssue({ quantity: 2, locale: "de" });
    const mail = await eventually(() => mailsTo(order)[0] ?? null);
    for (const { contractId } of await listItems(order))
      expect(mail.text).toContain(`Vertragsnummer: ${contractId}`);
    await Promise.all([reconcileOrder(domain, order.id), reconcileOrder(domain, order.id)]);
    expect(await db.outgoingMail.count({ where: { shop: domain, orderId: order.id } })).toBe(1);
    expect(mailsTo(order)).toHaveLength(1);
  });

  it("names a contract that a lost answer delayed together with the others", async () => {
    insurance.faults.add({ operation: "plans.create", kind: "reset_after" });
    const order = await selling.buyAndIssue({ quantity: 2 });
    const mail = await eventually(() => mailsTo(order)[0] ?? null);
    const numbers = (await listItems(order)).map(({ contractId }) => contractId ?? "?");
    for (const number of numbers) expect(mail.text).toContain(number);
    expect(mailsTo(order)).toHaveLength(1);
  });

  it("keeps the addresses of the documents of that day when the insurer has others", async () => {
    await describeCategory();
    const order = await selling.buyAndIssue();
    await db.category.updateMany({
      where: { shop: domain },
      data: { legal: { conditionsUrl: "https://insurer.example/cg-2027.pdf" } },
    });
    expect(await listEvents(order, "sold")).toMatchObject([{ conditionsUrl: conditions }]);
  });

  it("gets the same mail again as another message when staff send it again, which is on record", async () => {
    const order = await selling.buyAndIssue();
    const first = await eventually(() => mailsTo(order)[0] ?? null);
    const address = `/app/orders/${order.id}`;
    const params = { orderId: order.id };
    const { mails } = (await ask(openOrder, address, { params })).order;
    expect(mails).toMatchObject([{ subject: first.subject, to: order.email, state: "sent" }]);
    const form = { intent: "mail_again", mailId: mails[0]?.id ?? "" };
    expect(await ask(actOnOrder, address, { params, form })).toEqual(success("mail_again"));
    const [, second] = await eventually(() => (mailsTo(order).length === 2 ? mailsTo(order) : null));
    expect(second?.text).toBe(first.text);
    expect(second?.messageId).not.toBe(first.messageId);
    expect(await db.auditEntry.count({ where: { action: "mail_sent_again", subject: order.id } })).toBe(1);
    // Another order's mail is none of this order.
    const others = { intent: "mail_again", mailId: "contracts:1:1-1" };
    expect(await ask(actOnOrder, address, { params, form: others })).toEqual(refused("conflict"));
  });

  it("gets none where the insurer sends it itself", async () => {
    await ask(saveSettings, "/app/settings", {
      json: { intent: "save", settings: { mailsContracts: false } },
    });
    const order = await selling.buyAndIssue();
    await reconcileOrder(domain, order.id);
    expect(await db.outgoingMail.count({ where: { shop: domain, orderId: order.id } })).toBe(0);
  });
});

it.each(languages)("the mail in %s has no gap and names the day to withdraw", (language) => {
  const mail = contractMail(
    {
      shopName: "Lumo",
      orderName: "#1001",
      isTest: false,
      withdrawal: "https://app.test/w",
      insure: "https://app.test/i",
      claims: "https://app.test/c",
      claimContact: "",
      insurer: "Voltigeur, 1 rue de la Paix, Paris",
      complaints: "https://voltigeur.example/complaints",
      hasAttachments: true,
    },
    [
      {
        contractId: "C-1",
        planTitle: "Casse",
        insuredTitle: null,
        termMonths: 24,
        premiumMinor: 4_990,
        monthlyPriceMinor: null,
        currency: "EUR",
        expiresOn: "2028-11-22",
        lastDay: "2026-12-22",
        covers: [],
        conditions: "",
        ipid: "",
      },
    ],
    language,
  );
  expect(`${mail.subject}${mail.text}${mail.html}`).not.toMatch(/undefined|null|\{|\}/);
  expect(mail.text).toMatch(/2028[^]*2026/);
  expect(mail.text).toMatch(/Voltigeur, 1 rue de la Paix, Paris[^]*https:\/\/voltigeur\.example\/complaints/);
});
