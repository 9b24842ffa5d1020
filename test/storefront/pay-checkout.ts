/** Opens a cart's checkout as a buyer, and pays. */
import type { TestShop } from "./shop.ts";

export async function payCheckout({ origin }: TestShop, checkoutUrl: string): Promise<Response> {
  const opened = await fetch(checkoutUrl, { redirect: "manual" });
  const cookie = opened.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  return fetch(`${origin}/checkout`, {
    method: "POST",
    headers: { cookie },
    body: new URLSearchParams({
      email: "lea@example.com",
      last_name: "Martin",
      address1: "1 rue de la Paix",
      zip: "75002",
      city: "Paris",
    }),
    redirect: "manual",
  });
}
