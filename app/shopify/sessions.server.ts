/**
 * Shopify's sessions, encrypted in our database. The published Prisma storage stores access tokens in plain text
 * (docs/decisions/0004-sessions.md).
 */
import { Session } from "@shopify/shopify-api";
import type { SessionStorage } from "@shopify/shopify-app-session-storage";
import { z } from "zod";
import { open, seal, type SealedValue } from "#app/platform/crypto.server.ts";
import { db } from "#app/platform/db.server.ts";

const properties = z.array(z.tuple([z.string(), z.union([z.string(), z.number(), z.boolean()])]));

const purpose = (id: string) => `session:${id}`;

const sealed = (session: Session) => seal(JSON.stringify(session.toPropertyArray(true)), purpose(session.id));

function unseal(row: { id: string; sealed: string }): Session {
  return Session.fromPropertyArray(properties.parse(JSON.parse(open(row.sealed, purpose(row.id)))), true);
}

/** All sessions, for the key rotation. */
export async function* sealedSessions(): AsyncIterable<SealedValue> {
  for (const { id, sealed } of await db.session.findMany({ select: { id: true, sealed: true } })) {
    yield {
      sealed,
      purpose: purpose(id),
      replace: (next) => db.session.updateMany({ where: { id, sealed }, data: { sealed: next } }),
    };
  }
}

export const sessionStorage: SessionStorage = {
  async storeSession(session) {
    const row = {
      shop: session.shop,
      sealed: sealed(session),
      refreshLockedUntil: null,
      tokenIssuedAt: new Date(),
    };
    await db.session.upsert({ where: { id: session.id }, create: { id: session.id, ...row }, update: row });
    return true;
  },
  async loadSession(id) {
    const row = await db.session.findUnique({ where: { id } });
    return row ? unseal(row) : undefined;
  },
  async deleteSession(id) {
    await db.session.deleteMany({ where: { id } });
    return true;
  },
  async deleteSessions(ids) {
    await db.session.deleteMany({ where: { id: { in: ids } } });
    return true;
  },
  async findSessionsByShop(shop) {
    return (await db.session.findMany({ where: { shop } })).map(unseal);
  },
};

/**
 * Locks a session for the refresh of its access token, for at most 30 seconds. Each use rotates the refresh token, so
 * two processes must not use it concurrently.
 * @returns false while another process holds the lock
 */
export async function acquireRefreshLock(sessionId: string): Promise<boolean> {
  const now = new Date();
  const locked = await db.session.updateMany({
    where: { id: sessionId, OR: [{ refreshLockedUntil: null }, { refreshLockedUntil: { lt: now } }] },
    data: { refreshLockedUntil: new Date(now.getTime() + 30_000) },
  });
  return locked.count === 1;
}

export async function releaseRefreshLock(sessionId: string): Promise<void> {
  await db.session.updateMany({ where: { id: sessionId }, data: { refreshLockedUntil: null } });
}

/**
 * Deletes a shop's sessions with a token issued before the app was removed. Later ones belong to a new installation.
 * @returns false if later sessions remain: the app is installed again
 */
export async function deleteSessionsBefore(shop: string, removedAt: Date): Promise<boolean> {
  await db.session.deleteMany({ where: { shop, tokenIssuedAt: { lte: removedAt } } });
  return (await db.session.count({ where: { shop } })) === 0;
}

/**
 * Updates the granted scopes in a shop's sessions. A token may keep its original scopes, so this expires a previous
 * token, and its next use refreshes it.
 */
export async function updateSessionScopes(shop: string, scopes: string[]): Promise<void> {
  const granted = [...scopes].sort().join(",");
  for (const row of await db.session.findMany({ where: { shop } })) {
    const session = unseal(row);
    if (session.scope?.split(",").sort().join(",") === granted) continue;
    session.scope = scopes.join(",");
    if (session.refreshToken !== undefined) session.expires = new Date();
    // Not if the session was refreshed in the meantime: it has the new scopes, and its refresh token is the valid
    // one.
    await db.session.updateMany({
      where: { id: session.id, sealed: row.sealed },
      data: { sealed: sealed(session) },
    });
  }
}
