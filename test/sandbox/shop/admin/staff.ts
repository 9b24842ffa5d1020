/** The members of staff of the stand-in's shops, and the admin's session tokens for the signed-in one. */
import { signSessionToken } from "../auth/session-token.ts";
import type { ShopSandbox } from "../sandbox.ts";

export interface StaffMember {
  id: string;
  firstName: string;
  lastName: string;
  isOwner: boolean;
  /** their permissions, as scopes of an app; null: everything */
  scopes: readonly string[] | null;
}

export const SESSION_ID = "8f1d2c3b-4a59-4e68-9d77-0c6b5a493827";

/** The shop's owner, who is signed in by default. */
export const staff = { id: "98230000001", name: "Camille Martin" };

const owner: StaffMember = {
  id: staff.id,
  firstName: "Camille",
  lastName: "Martin",
  isOwner: true,
  scopes: null,
};

/** Each has one permission. */
export const staffMembers: readonly StaffMember[] = [
  owner,
  {
    id: "98230000002",
    firstName: "Nadia",
    lastName: "Petit",
    isOwner: false,
    scopes: ["read_orders"],
  },
  {
    id: "98230000003",
    firstName: "Hugo",
    lastName: "Roux",
    isOwner: false,
    scopes: ["write_orders", "read_orders", "write_draft_orders", "read_draft_orders"],
  },
  {
    id: "98230000004",
    firstName: "Inès",
    lastName: "Faure",
    isOwner: false,
    scopes: ["write_products", "read_products"],
  },
  { id: "98230000005", firstName: "Paul", lastName: "Henry", isOwner: false, scopes: [] },
];

/** An owner without a name at Shopify, which returns only their e-mail address. */
export const NAMELESS_STAFF = "98230000009";

/** An unknown id is another owner's, because tests invent such ids. */
export function staffMember(id: string): StaffMember {
  const nameless = id === NAMELESS_STAFF ? { firstName: "", lastName: "" } : {};
  return staffMembers.find((each) => each.id === id) ?? { ...owner, ...nameless, id };
}

export const nameOf = ({ firstName, lastName }: StaffMember): string => `${firstName} ${lastName}`;

export function staffSessionToken({
  apiKey,
  apiSecret,
  shopDomain,
  loggedIn,
}: Pick<ShopSandbox, "apiKey" | "apiSecret" | "shopDomain"> &
  Partial<Pick<ShopSandbox, "loggedIn">>): Promise<string> {
  const userId = loggedIn?.id ?? staff.id;
  return signSessionToken({ apiKey, apiSecret, shopDomain, userId, sessionId: SESSION_ID });
}
