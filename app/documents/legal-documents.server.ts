/**
 * Keeps the legal documents of a shop's offers, conditions and IPID, as their addresses answered: what was sold by them
 * can be shown and sent when the insurer has long put others in their place.
 */
import { createHash } from "node:crypto";
import pLimit from "p-limit";
import { z } from "zod";
import { db, type Transaction } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { contentTypes, DocumentUnavailable, fetchDocument } from "./fetch-document.server.ts";

/** Each address is requested once a day at most. */
const FRESH_MS = 20 * 3_600_000;
/** Two for each category; an insurer has some twenty categories. */
const MOST_ADDRESSES = 200;
const CONCURRENT = 4;

const addressRows = z.array(z.object({ address: z.string() }));

/** Fetches what is not known yet, or was seen long ago. An address that does not answer changes nothing. */
export async function keepDocuments(shop: string, signal: AbortSignal): Promise<void> {
  const since = new Date(Date.now() - FRESH_MS);
  const rows = await db.$queryRaw`
    SELECT DISTINCT document.address FROM "Category" AS c
    CROSS JOIN LATERAL (VALUES (c.legal->>'conditionsUrl'), (c.legal->>'ipidUrl')) AS document(address)
    WHERE c.shop = ${shop} AND c.state = 'offered' AND document.address <> ''
      AND NOT EXISTS (SELECT FROM "LegalDocument" AS known WHERE known.shop = c.shop
        AND known.address = document.address AND known."seenAt" > ${since.toISOString()}::timestamptz)
    ORDER BY document.address LIMIT ${MOST_ADDRESSES}`;
  const limit = pLimit(CONCURRENT);
  const addresses = addressRows.parse(rows).filter(({ address }) => URL.canParse(address));
  await Promise.all(addresses.map(({ address }) => limit(() => keepDocument(shop, address, signal))));
}

async function keepDocument(shop: string, address: string, signal: AbortSignal): Promise<void> {
  try {
    const { content, contentType } = await fetchDocument(address, signal);
    const key = { shop, address, sha256: sha256Of(content) };
    await db.legalDocument.upsert({
      where: { shop_address_sha256: key },
      create: { ...key, content, contentType, seenAt: new Date() },
      update: { seenAt: new Date() },
    });
    await deleteUnused(key);
  } catch (error) {
    if (!(error instanceof DocumentUnavailable)) throw error;
    log.warn({ shop }, `Failed to fetch the legal document ${address}: ${error.message}`);
  }
}

/** A page may answer differently each day: only what was sold by it, or seen in the last days, stays. */
async function deleteUnused({ shop, address, sha256 }: DocumentKey & { shop: string }): Promise<void> {
  await db.$executeRaw`
    DELETE FROM "LegalDocument" AS document
    WHERE document.shop = ${shop} AND document.address = ${address} AND document.sha256 <> ${sha256}
      AND document."seenAt" < now() - interval '3 days'
      AND NOT EXISTS (SELECT FROM "OfferTerms" AS t WHERE t.shop = document.shop
        AND document.sha256 IN (t.terms->'conditions'->>'sha256', t.terms->'ipid'->>'sha256'))`;
}

/** Hexadecimal. */
export const sha256Of = (content: Uint8Array | string): string =>
  createHash("sha256").update(content).digest("hex");

/** The digests of what the addresses answered last. An address that never answered is missing. */
export async function latestDigests(
  tx: Transaction,
  shop: string,
  addresses: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.legalDocument.findMany({
    where: { shop, address: { in: [...addresses] } },
    select: { address: true, sha256: true },
    orderBy: { seenAt: "asc" },
  });
  return new Map(rows.map(({ address, sha256 }) => [address, sha256]));
}

export interface DocumentKey {
  address: string;
  sha256: string;
}

export interface LegalDocument extends DocumentKey {
  contentType: (typeof contentTypes)[number];
  content: Uint8Array;
}

const stored = z.object({
  address: z.string(),
  sha256: z.string(),
  contentType: z.enum(contentTypes),
  content: z.instanceof(Uint8Array),
});

/** Those of them that are kept. */
export async function readDocuments(shop: string, keys: readonly DocumentKey[]): Promise<LegalDocument[]> {
  if (keys.length === 0) return [];
  const rows = await db.legalDocument.findMany({
    where: { shop, OR: keys.map(({ address, sha256 }) => ({ address, sha256 })) },
    select: { address: true, sha256: true, contentType: true, content: true },
  });
  return z.array(stored).parse(rows);
}

/** The sizes in bytes of those that are kept, by digest. */
export async function documentSizes(
  tx: Transaction,
  shop: string,
  digests: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.$queryRaw`
    SELECT DISTINCT sha256, octet_length(content) AS bytes FROM "LegalDocument"
    WHERE shop = ${shop} AND sha256 = ANY(${[...digests]})`;
  return new Map(sizes.parse(rows).map(({ sha256, bytes }) => [sha256, bytes]));
}
const sizes = z.array(z.object({ sha256: z.string(), bytes: z.int() }));

const suffixes = {
  "application/pdf": "pdf",
  "text/html": "html",
  "text/plain": "txt",
  "application/octet-stream": "bin",
} as const satisfies Record<(typeof contentTypes)[number], string>;

export const suffixOf = (contentType: (typeof contentTypes)[number]): string => suffixes[contentType];
