/**
 * Fetches the insurer's documents. Their addresses come from outside, so none that leads into a private network is
 * requested, and nothing is read without a limit.
 */
import { lookup, type LookupAddress } from "node:dns";
import ipaddr from "ipaddr.js";
import { Agent, request } from "undici";
import { AppError } from "#app/platform/app-error.ts";
import { env } from "#app/platform/env.server.ts";

/** It cannot be had from this address now. The message says why, for the log. */
export class DocumentUnavailable extends AppError {
  override name = "DocumentUnavailable";
}

export const contentTypes = [
  "application/pdf",
  "text/html",
  "text/plain",
  "application/octet-stream",
] as const;

export interface FetchedDocument {
  /** of these alone: a type from outside decides nothing */
  contentType: (typeof contentTypes)[number];
  content: Uint8Array<ArrayBuffer>;
}

/** Conditions of sale have a few hundred kilobytes. */
const MAX_BYTES = 5 * 1024 * 1024;
const TIMEOUT_MS = 15_000;
const MAX_REDIRECTS = 3;

/** Whether an IP address is one of the public internet. */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast";

/** Connects to the public internet alone. */
export const publicAgent = new Agent({
  maxResponseSize: MAX_BYTES,
  connect: {
    timeout: 5_000,
    // Checked where the connection is made: a name may have another address when it is looked up again.
    lookup: (hostname, options, callback) => {
      lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
        if (error) {
          callback(error, "", 4);
          return;
        }
        const [first] = addresses;
        if (first === undefined) callback(new DocumentUnavailable("unknown host"), "", 4);
        else if (!addresses.every(({ address }) => isPublicAddress(address)))
          callback(new DocumentUnavailable("the host is in a private network"), "", 4);
        else if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      });
    },
  },
});
/** The stand-in of demo and tests is on this machine. */
const sandboxAgent = new Agent({ maxResponseSize: MAX_BYTES });

/** @throws DocumentUnavailable */
export async function fetchDocument(address: string, signal: AbortSignal): Promise<FetchedDocument> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  let url = new URL(address);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const response = await send(url, limit);
    const location = response.headers["location"];
    if (response.statusCode >= 300 && response.statusCode < 400 && typeof location === "string") {
      await response.body.dump();
      if (!URL.canParse(location, url)) throw new DocumentUnavailable("a redirect to no address");
      url = new URL(location, url);
      continue;
    }
    if (response.statusCode !== 200) {
      await response.body.dump();
      throw new DocumentUnavailable(`status ${response.statusCode}`);
    }
    const content = await read(() => response.body.arrayBuffer());
    if (content.byteLength === 0) throw new DocumentUnavailable("it is empty");
    return { contentType: typeOf(response.headers["content-type"]), content: new Uint8Array(content) };
  }
  throw new DocumentUnavailable("too many redirects");
}

async function send(url: URL, signal: AbortSignal) {
  if (url.protocol !== "https:") throw new DocumentUnavailable("its address is not https");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // An IP address is not looked up.
  if (ipaddr.isValid(host) && !isPublicAddress(host))
    throw new DocumentUnavailable("the host is in a private network");
  const sandbox = env.SANDBOX_DOCUMENTS_ORIGIN;
  const target = sandbox === undefined ? url : new URL(url.pathname + url.search, sandbox);
  return read(() =>
    request(target, {
      signal,
      dispatcher: sandbox === undefined ? publicAgent : sandboxAgent,
      headers: { accept: "application/pdf, text/html;q=0.9, */*;q=0.5" },
    }),
  );
}

async function read<Result>(reading: () => Promise<Result>): Promise<Result> {
  try {
    return await reading();
  } catch (error) {
    if (error instanceof DocumentUnavailable) throw error;
    throw new DocumentUnavailable(error instanceof Error ? error.message : "no answer", { cause: error });
  }
}

function typeOf(header: string | string[] | undefined): FetchedDocument["contentType"] {
  const [type = ""] = String(header ?? "")
    .toLowerCase()
    .split(";");
  return contentTypes.find((each) => each === type.trim()) ?? "application/octet-stream";
}
