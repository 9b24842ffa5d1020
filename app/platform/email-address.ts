/** What an e-mail address is, everywhere in Parasol. */
import { z } from "zod";

/**
 * What mail servers and Shopify take (RFC 5321, RFC 6531): also `o&leary@example.com` and `info@räucher.de`. Quoted local
 * parts and addresses at an IP number are left out: no customer has one.
 */
const LOCAL = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~-]+`;
const LABEL = String.raw`[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?`;
const pattern = new RegExp(
  String.raw`^(?=.{1,64}@)${LOCAL}(?:\.${LOCAL})*@(?:${LABEL}\.)+(?=[\p{L}\p{M}\p{N}-]*\p{L})(?:xn--[a-z0-9-]*[a-z0-9]|[\p{L}\p{M}]{2,63})$`,
  "iu",
);

/** @param error the message or the key of an address that is none */
export const emailAddress = (error?: string) => z.email({ pattern, error });
