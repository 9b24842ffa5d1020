/** The app's access and refresh tokens for a shop. */
import { randomBytes } from "node:crypto";

export interface AccessToken {
  token: string;
  scopes: string[];
  /** ms since 1970 */
  expiresAt: number;
}

export interface OfflineToken extends AccessToken {
  refreshToken: string;
  refreshExpiresAt: number;
  /** The refresh token that created this pair. It stays valid until this pair's own is used. */
  predecessor: string | null;
}

/** In seconds: Shopify's values for expiring offline tokens. */
export const offlineTokenSeconds = 3600;
export const refreshTokenSeconds = 90 * 24 * 3600;
/** Lifetime of an online token in seconds. */
export const onlineTokenSeconds = 86_399;

export class Tokens {
  readonly #access = new Map<string, AccessToken>();
  readonly #refresh = new Map<string, OfflineToken>();

  /** An expiring offline token with its refresh token. */
  offline(scopes: string[], predecessor: string | null = null): OfflineToken {
    const pair: OfflineToken = {
      token: secret("shpat"),
      scopes,
      expiresAt: Date.now() + offlineTokenSeconds * 1000,
      refreshToken: secret("shprt"),
      refreshExpiresAt: Date.now() + refreshTokenSeconds * 1000,
      predecessor,
    };
    this.#remember(pair);
    this.#refresh.set(pair.refreshToken, pair);
    return pair;
  }

  online(scopes: string[]): AccessToken {
    const expiresAt = Date.now() + onlineTokenSeconds * 1000;
    return this.#remember({ token: secret("shpua"), scopes, expiresAt });
  }

  /**
   * A new pair for a refresh token; null if it is unknown, expired or retired. Since August 2026 Shopify accepts a used
   * refresh token again until its replacement is used, because the response may have been lost. A second refresh
   * invalidates the first replacement.
   */
  rotate(refreshToken: string, scopes: string[]): OfflineToken | null {
    const pair = this.#refresh.get(refreshToken);
    if (pair === undefined || pair.refreshExpiresAt <= Date.now()) return null;
    if (pair.predecessor !== null) this.#refresh.delete(pair.predecessor);
    for (const other of this.#refresh.values())
      if (other.predecessor === refreshToken) this.#refresh.delete(other.refreshToken);
    return this.offline(scopes, refreshToken);
  }

  /** The token if it is known and has not expired. */
  find(token: string): AccessToken | null {
    const found = this.#access.get(token);
    return found !== undefined && found.expiresAt > Date.now() ? found : null;
  }

  /** Expires every access token of the shop now; refresh tokens stay valid. */
  expireAll(): void {
    for (const token of this.#access.values()) token.expiresAt = Date.now() - 1;
  }

  /** Also accepts a token that another sandbox of the same shop has issued to the same app. */
  adopt(other: Tokens): void {
    for (const token of other.#access.values()) this.#access.set(token.token, { ...token });
    for (const pair of other.#refresh.values()) this.#refresh.set(pair.refreshToken, { ...pair });
  }

  /** The app was uninstalled. */
  revokeAll(): void {
    this.#access.clear();
    this.#refresh.clear();
  }

  #remember<T extends AccessToken>(token: T): T {
    this.#access.set(token.token, token);
    return token;
  }
}

function secret(prefix: string): string {
  return `${prefix}_${randomBytes(16).toString("hex")}`;
}
