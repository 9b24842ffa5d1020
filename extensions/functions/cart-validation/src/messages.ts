/** What the buyer reads at the checkout, in French or English. */
import type { ReadCart } from "./read-cart.ts";
import type { Violation } from "./violations.ts";

const texts: Record<"en" | "fr", Record<Violation["reason"], (plan: string) => string>> = {
  en: {
    stopped: (plan) => `“${plan}” is not sold at the moment. Take it out of the cart.`,
    alone: (plan) =>
      `“${plan}” insures a product that is not in your cart. Take it out of the cart, or add the product.`,
    excess: (plan) =>
      `There is more of “${plan}” in your cart than products to insure. Lower its quantity in the cart.`,
    price: (plan) =>
      `The price of “${plan}” is not the one that you agreed to. Take it out of the cart; your order goes on without it.`,
    band: (plan) =>
      `“${plan}” does not fit the product that it is for. Take it out of the cart, and choose the insurance again.`,
  },
  fr: {
    stopped: (plan) =>
      `«\u00a0${plan}\u00a0» n’est pas en vente actuellement. Retirez cette assurance du panier.`,
    alone: (plan) =>
      `«\u00a0${plan}\u00a0» assure un article qui n’est pas dans votre panier. Retirez cette assurance du panier, ou ajoutez l’article.`,
    excess: (plan) =>
      `Votre panier contient plus de «\u00a0${plan}\u00a0» que d’articles à assurer. Réduisez-en la quantité dans le panier.`,
    price: (plan) =>
      `Le prix de «\u00a0${plan}\u00a0» n’est pas celui que vous avez accepté. Retirez cette assurance du panier\u00a0; votre commande se poursuit sans elle.`,
    band: (plan) =>
      `«\u00a0${plan}\u00a0» ne correspond pas à l’article concerné. Retirez cette assurance du panier, puis choisissez-la à nouveau.`,
  },
};

/** Nobody reads more, and the platform takes 20,000 bytes of a Function. */
const MOST = 10;

/** Each message once, the first ones. */
export function messagesOf(violations: Violation[], { isFrench, titleOf }: ReadCart): string[] {
  const language = texts[isFrench ? "fr" : "en"];
  const messages = violations.map(({ plan, reason }) => language[reason](titleOf(plan)));
  return [...new Set(messages)].slice(0, MOST);
}
