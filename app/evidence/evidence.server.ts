/** Reads what the evidence pack of a contract holds. */
import { readDocuments, suffixOf } from "#app/documents/legal-documents.server.ts";
import { planBody } from "#app/insurance/plans.ts";
import { toNewPlan } from "#app/issuing/insurer-requests.ts";
import { dataKeyOf } from "#app/merchants/data-key.server.ts";
import { readTerms } from "#app/offers/offer-terms.server.ts";
import type { OfferTerms } from "#app/offers/offer-terms.ts";
import { readConsentTexts } from "#app/offers/storefront-settings.server.ts";
import { findItem } from "#app/orders/book/answers.ts";
import { readOrderBook } from "#app/orders/book/book.server.ts";
import type { Item, Order } from "#app/orders/book/evolve.ts";
import { itemKeyOf, nameOf } from "#app/orders/book/events.ts";
import { splitPremiums } from "#app/orders/book/money.ts";
import { itemRow } from "#app/orders/book/projection.ts";
import { readConsent } from "#app/orders/consent.ts";
import type { InsuredCustomer } from "#app/orders/customer.ts";
import { ERASED_CONSENTS, openConsents, openCustomer } from "#app/orders/sealed.server.ts";
import { findOrderMails } from "#app/outbox/outbox.server.ts";
import { db } from "#app/platform/db.server.ts";
import { eventsOf, jsonFile, packEvidence, type PackedFile, textFile } from "./pack.ts";
import { keyAddress, signingKeyOf } from "./signing-key.server.ts";
import readme from "./readme.txt?raw";
import verifier from "./verify.mjs?raw";

export interface EvidencePack {
  fileName: string;
  bytes: Uint8Array;
}

/** Null: the order has no such item, or the item no contract. @param name of the item (`nameOf`) */
export async function packContract(
  shop: string,
  orderId: string,
  name: string,
): Promise<EvidencePack | null> {
  const [book, signingKey] = await Promise.all([readOrderBook(shop, orderId), signingKeyOf(shop)]);
  const item = book?.order.items.find((each) => nameOf(each) === name);
  if (!book || !item?.contract || signingKey === null) return null;
  const { order, events } = book;
  const { contractId } = item.contract;
  const personal = await readPersonal(shop, orderId, order, item);
  const offer = await readOffer(shop, item);
  const madeAt = new Date();
  const packed = {
    ...itemKeyOf(item),
    contractId,
    insuredLineId: item.insured?.lineId ?? null,
    replaced: replacedBy(order, item),
  };
  const bytes = packEvidence({
    shop,
    order: order.placed?.name ?? orderId,
    contractId,
    madeAt,
    signingKey,
    keyAddress: keyAddress(shop),
    events: eventsOf(events, packed),
    files: [
      textFile("README.txt", readme),
      textFile("verify.mjs", verifier),
      jsonFile("contract.json", contractOf(order, item, madeAt)),
      jsonFile("order.json", orderOf(orderId, order, item)),
      ...offer.files,
      ...personal.files,
    ],
    leftOut: [...offer.leftOut, ...personal.leftOut],
  });
  return { fileName: `evidence-${contractId.replace(/[^\w-]+/g, "-")}.zip`, bytes };
}

interface Part {
  files: PackedFile[];
  leftOut: string[];
}

/** The numbers of the items whose cover it took over, back to the first. */
function replacedBy(order: Order, item: Item): number[] {
  const { replaces } = item.sold;
  if (replaces === null) return [];
  const before = findItem(order, { lineId: item.lineId, number: replaces });
  return [replaces, ...(before ? replacedBy(order, before) : [])];
}

function contractOf(order: Order, item: Item, now: Date) {
  const { contract, insured, sold, insuredAt } = item;
  return {
    contract,
    insuredSince: insuredAt,
    state: itemRow(order, item).state,
    plan: { reference: sold.referenceId, title: sold.planTitle, termMonths: sold.termMonths },
    insured,
    premium: {
      paidMinor: sold.premiumMinor,
      offerPriceMinor: sold.offerPriceMinor,
      currency: sold.currency,
      becameOf: splitPremiums(order, now).premiums.get(item),
    },
    account: order.placed?.environment,
  };
}

function orderOf(orderId: string, order: Order, item: Item) {
  const { placed, paid, cancelledAt, erasedAt, lines, refunds } = order;
  const isOfContract = (lineId: string) => lineId === item.lineId || lineId === item.insured?.lineId;
  return {
    orderId,
    name: placed?.name,
    placedAt: placed?.placedAt,
    paid,
    cancelledAt,
    erasedAt,
    salesChannel: placed?.salesChannel,
    language: placed?.language,
    lines: lines.filter(({ lineId }) => isOfContract(lineId)),
    refunds: refunds.filter(
      (refund) => refund.lines.length === 0 || refund.lines.some(({ lineId }) => isOfContract(lineId)),
    ),
  };
}

/** The terms of the sale, and the documents with their bytes. */
async function readOffer(shop: string, { sold }: Item): Promise<Part> {
  const digest = sold.termsSha256;
  const terms = digest === null ? undefined : (await readTerms(db, shop, [digest])).get(digest);
  if (terms === undefined) return { files: [], leftOut: ["offer.json: its terms were not kept at the sale"] };
  const wanted = documentsOf(terms);
  const kept = await readDocuments(
    shop,
    wanted.flatMap(({ address, sha256 }) => (sha256 === null ? [] : [{ address, sha256 }])),
  );
  const files: PackedFile[] = [jsonFile("offer.json", terms)];
  const leftOut: string[] = [];
  for (const { name, address, sha256 } of wanted) {
    const document = kept.find((each) => each.address === address && each.sha256 === sha256);
    if (document)
      files.push({ name: `documents/${name}.${suffixOf(document.contentType)}`, bytes: document.content });
    else leftOut.push(`documents/${name}: ${address} had not answered before the sale`);
  }
  return { files, leftOut };
}

const documentsOf = ({ conditions, ipid }: OfferTerms) => [
  ...(conditions === null ? [] : [{ name: "conditions", ...conditions }]),
  ...(ipid === null ? [] : [{ name: "ipid", ...ipid }]),
];

/** What the customer agreed to, who they are, what was sent about them to the insurer, and the mails to them. */
async function readPersonal(shop: string, orderId: string, order: Order, item: Item): Promise<Part> {
  const row = await db.order.findUniqueOrThrow({
    where: { shop_orderId: { shop, orderId } },
    select: { sealedCustomer: true, sealedConsents: true },
  });
  const dataKey = await dataKeyOf(shop);
  const noted = item.sold.consent === null ? null : readConsent(item.sold.consent);
  const texts = await readConsentTexts(shop, noted === null ? [] : [noted.version]);
  const consent = {
    touchpoint: item.sold.touchpoint,
    ...noted,
    text: noted === null ? null : (texts.get(noted.version) ?? null),
    inWords: openConsents(dataKey, orderId, row.sealedConsents)[item.lineId] ?? null,
  };
  const files = [jsonFile("consent.json", consent)];
  const erasedWords =
    row.sealedConsents === ERASED_CONSENTS ? ["consent.json: the consent in words was erased"] : [];
  if (row.sealedCustomer === null) {
    const erased = order.erasedAt?.toISOString();
    return {
      files,
      leftOut: [
        ...erasedWords,
        erased === undefined
          ? "customer.json: no customer is stored"
          : `customer.json, insurer.json, mails.json: the customer's data was erased on ${erased}`,
      ],
    };
  }
  const customer = openCustomer(dataKey, orderId, row.sealedCustomer);
  const mails = await findOrderMails(shop, [orderId]);
  return {
    files: [
      ...files,
      jsonFile("customer.json", customer),
      jsonFile("insurer.json", sentOf(orderId, item, customer)),
      jsonFile("mails.json", mails),
    ],
    leftOut: erasedWords,
  };
}

/** The request as Parasol writes it from the order; when it was sent and what was answered is among the events. */
function sentOf(orderId: string, item: Item, customer: InsuredCustomer) {
  const request = toNewPlan(orderId, item, customer, false);
  return { request: request.type === "complete" ? planBody(request.plan) : null, answer: item.request };
}
