/**
 * A contract's evidence pack: what was offered, agreed to, paid, requested and answered, in files that can be read and
 * checked without Parasol. Its events are a chain, in which each entry names the digest of the one before.
 */
import { createHash, createPublicKey, type KeyObject, sign } from "node:crypto";
import { zipSync } from "fflate";
import { canonicalJson } from "#app/documents/canonical-json.ts";
import { itemsOf } from "#app/orders/book/evolve.ts";
import { type ItemKey, type KeptEvent, nameOf } from "#app/orders/book/events.ts";

export interface PackedFile {
  name: string;
  bytes: Uint8Array;
}

export interface PackFacts {
  shop: string;
  /** the order's name */
  order: string;
  contractId: string;
  madeAt: Date;
  /** Ed25519 */
  signingKey: KeyObject;
  /** where the shop's key is published */
  keyAddress: string;
  events: readonly KeptEvent[];
  /** all other files */
  files: readonly PackedFile[];
  /** what is not in the pack, and why */
  leftOut: readonly string[];
}

export const CHAIN_FILE = "events.jsonl";

const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export const jsonFile = (name: string, content: unknown): PackedFile => ({
  name,
  bytes: utf8(canonicalJson(content)),
});

export const textFile = (name: string, text: string): PackedFile => ({ name, bytes: utf8(text) });

interface Chain {
  text: string;
  entries: number;
  head: string;
}

/** One line of JSON for each event. */
export function chainOf(events: readonly KeptEvent[]): Chain {
  const lines: string[] = [];
  let previous = "";
  for (const [index, { key, at, ...event }] of events.entries()) {
    const line = canonicalJson({ index, previous, at, key, event });
    lines.push(line);
    previous = sha256(line);
  }
  return { text: lines.map((line) => `${line}\n`).join(""), entries: lines.length, head: previous };
}

export const publicKeyOf = (signingKey: KeyObject): Buffer =>
  createPublicKey(signingKey).export({ format: "der", type: "spki" });

export function packEvidence(facts: PackFacts): Uint8Array {
  const { shop, order, contractId, madeAt, signingKey, keyAddress, leftOut } = facts;
  const chain = chainOf(facts.events);
  const files = [...facts.files, textFile(CHAIN_FILE, chain.text)];
  const manifest = jsonFile("manifest.json", {
    format: 1,
    shop,
    order,
    contract: contractId,
    madeAt,
    publicKey: publicKeyOf(signingKey).toString("base64"),
    keyAddress,
    files: files.map(({ name, bytes }) => ({ name, bytes: bytes.length, sha256: sha256(bytes) })),
    chain: { file: CHAIN_FILE, entries: chain.entries, head: chain.head },
    left_out: leftOut,
  });
  const signature: PackedFile = {
    name: "manifest.sig",
    bytes: sign(null, manifest.bytes, signingKey),
  };
  const packed = [manifest, signature, ...files];
  return zipSync(Object.fromEntries(packed.map(({ name, bytes }) => [name, bytes])), { mtime: madeAt });
}

/** What is about the order as a whole. */
const ofOrder: ReadonlySet<KeptEvent["type"]> = new Set([
  "placed",
  "paid",
  "balance",
  "paid_back",
  "cancelled",
  "deleted",
  "not_shown",
  "details_missing",
  "cancellation_requested",
  "cancellation_answered",
  "sales_record",
  "erased",
]);

export interface PackedItem extends ItemKey {
  contractId: string;
  /** of the insured product; null: the plan named none */
  insuredLineId: string | null;
  /** the numbers of the items whose cover it took over, one after another */
  replaced: readonly number[];
}

/** The events of the order's book that are about a contract: not those of its other items. */
export function eventsOf(events: readonly KeptEvent[], item: PackedItem): KeptEvent[] {
  const names = new Set(
    [item.number, ...item.replaced].map((number) => nameOf({ lineId: item.lineId, number })),
  );
  const lines = new Set([item.lineId, ...(item.insuredLineId === null ? [] : [item.insuredLineId])]);
  return events.filter((event) => {
    if (ofOrder.has(event.type)) return true;
    if (event.type === "contract" && event.item === null) return event.contractId === item.contractId;
    if (itemsOf(event).some((key) => names.has(nameOf(key)))) return true;
    switch (event.type) {
      case "line":
      case "quantity":
        return lines.has(event.lineId);
      case "refund":
        return event.lines.length === 0 || event.lines.some(({ lineId }) => lines.has(lineId));
      case "edited":
        return event.removed.some(({ lineId }) => lines.has(lineId));
      default:
        return false;
    }
  });
}
