/** The messages for the buyer at the checkout, in the storefront's seven languages. */
import type { ReadCart } from "./read-cart.ts";
import type { Violation } from "./violations.ts";

type Messages = Record<Violation["reason"], string>;

const english: Messages = {
  stopped: "“{plan}” is not sold at the moment. Take it out of the cart.",
  country:
    "“{plan}” is not sold for delivery to this address. Take it out of the cart; your order goes on without it.",
  company: "“{plan}” is not sold to companies. Take it out of the cart; your order goes on without it.",
  alone: "“{plan}” insures a product that is not in your cart. Take it out of the cart, or add the product.",
  excess: "There is more of “{plan}” in your cart than products to insure. Lower its quantity in the cart.",
  price:
    "The price of “{plan}” is not the one that you agreed to. Take it out of the cart; your order goes on without it.",
  band: "“{plan}” does not fit the product that it is for. Take it out of the cart, and choose the insurance again.",
};

const others: Partial<Record<string, Messages>> = {
  fr: {
    stopped: "« {plan} » n’est pas en vente actuellement. Retirez cette assurance du panier.",
    country:
      "« {plan} » n’est pas vendue pour une livraison à cette adresse. Retirez cette assurance du panier ; votre commande se poursuit sans elle.",
    company:
      "« {plan} » n’est pas vendue aux entreprises. Retirez cette assurance du panier ; votre commande se poursuit sans elle.",
    alone:
      "« {plan} » assure un article qui n’est pas dans votre panier. Retirez cette assurance du panier, ou ajoutez l’article.",
    excess:
      "Votre panier contient plus de « {plan} » que d’articles à assurer. Réduisez-en la quantité dans le panier.",
    price:
      "Le prix de « {plan} » n’est pas celui que vous avez accepté. Retirez cette assurance du panier ; votre commande se poursuit sans elle.",
    band: "« {plan} » ne correspond pas à l’article concerné. Retirez cette assurance du panier, puis choisissez-la à nouveau.",
  },
  de: {
    stopped: "„{plan}“ wird zurzeit nicht verkauft. Entfernen Sie die Versicherung aus dem Warenkorb.",
    country:
      "„{plan}“ wird für Lieferungen an diese Adresse nicht verkauft. Entfernen Sie die Versicherung aus dem Warenkorb; Ihre Bestellung geht ohne sie weiter.",
    company:
      "„{plan}“ wird nicht an Unternehmen verkauft. Entfernen Sie die Versicherung aus dem Warenkorb; Ihre Bestellung geht ohne sie weiter.",
    alone:
      "„{plan}“ versichert ein Produkt, das nicht in Ihrem Warenkorb liegt. Entfernen Sie die Versicherung, oder legen Sie das Produkt dazu.",
    excess:
      "Ihr Warenkorb enthält „{plan}“ öfter als Produkte, die zu versichern sind. Verringern Sie die Anzahl im Warenkorb.",
    price:
      "Der Preis von „{plan}“ ist nicht der, dem Sie zugestimmt haben. Entfernen Sie die Versicherung aus dem Warenkorb; Ihre Bestellung geht ohne sie weiter.",
    band: "„{plan}“ passt nicht zu dem Produkt, für das die Versicherung ist. Entfernen Sie sie aus dem Warenkorb, und wählen Sie erneut.",
  },
  es: {
    stopped: "«{plan}» no está a la venta en este momento. Quite el seguro del carrito.",
    country:
      "«{plan}» no se vende para envíos a esta dirección. Quite el seguro del carrito; su pedido sigue adelante sin él.",
    company: "«{plan}» no se vende a empresas. Quite el seguro del carrito; su pedido sigue adelante sin él.",
    alone:
      "«{plan}» asegura un producto que no está en su carrito. Quite el seguro del carrito o añada el producto.",
    excess:
      "Su carrito contiene más unidades de «{plan}» que productos por asegurar. Reduzca la cantidad en el carrito.",
    price:
      "El precio de «{plan}» no es el que usted aceptó. Quite el seguro del carrito; su pedido sigue adelante sin él.",
    band: "«{plan}» no corresponde al producto asegurado. Quite el seguro del carrito y elíjalo de nuevo.",
  },
  it: {
    stopped: "«{plan}» al momento non è in vendita. Tolga l’assicurazione dal carrello.",
    country:
      "«{plan}» non è in vendita per consegne a questo indirizzo. Tolga l’assicurazione dal carrello; l’ordine prosegue senza.",
    company:
      "«{plan}» non è in vendita per le aziende. Tolga l’assicurazione dal carrello; l’ordine prosegue senza.",
    alone:
      "«{plan}» assicura un prodotto che non è nel carrello. Tolga l’assicurazione dal carrello o aggiunga il prodotto.",
    excess: "Il carrello contiene più «{plan}» che prodotti da assicurare. Riduca la quantità nel carrello.",
    price:
      "Il prezzo di «{plan}» non è quello che ha accettato. Tolga l’assicurazione dal carrello; l’ordine prosegue senza.",
    band: "«{plan}» non corrisponde al prodotto da assicurare. Tolga l’assicurazione dal carrello e la scelga di nuovo.",
  },
  nl: {
    stopped: "“{plan}” is op dit moment niet te koop. Haal de verzekering uit de winkelwagen.",
    country:
      "“{plan}” wordt niet verkocht voor levering op dit adres. Haal de verzekering uit de winkelwagen; uw bestelling gaat zonder verder.",
    company:
      "“{plan}” wordt niet aan bedrijven verkocht. Haal de verzekering uit de winkelwagen; uw bestelling gaat zonder verder.",
    alone:
      "“{plan}” verzekert een product dat niet in uw winkelwagen ligt. Haal de verzekering uit de winkelwagen of voeg het product toe.",
    excess:
      "Uw winkelwagen bevat meer “{plan}” dan te verzekeren producten. Verlaag het aantal in de winkelwagen.",
    price:
      "De prijs van “{plan}” is niet de prijs waarmee u akkoord ging. Haal de verzekering uit de winkelwagen; uw bestelling gaat zonder verder.",
    band: "“{plan}” past niet bij het product waarvoor de verzekering is. Haal haar uit de winkelwagen en kies opnieuw.",
  },
  pt: {
    stopped: "“{plan}” não está à venda neste momento. Retire o seguro do carrinho.",
    country:
      "“{plan}” não é vendido para entregas nesta morada. Retire o seguro do carrinho; a sua encomenda prossegue sem ele.",
    company:
      "“{plan}” não é vendido a empresas. Retire o seguro do carrinho; a sua encomenda prossegue sem ele.",
    alone:
      "“{plan}” segura um produto que não está no seu carrinho. Retire o seguro do carrinho ou adicione o produto.",
    excess: "O seu carrinho contém mais “{plan}” do que produtos a segurar. Reduza a quantidade no carrinho.",
    price:
      "O preço de “{plan}” não é o que aceitou. Retire o seguro do carrinho; a sua encomenda prossegue sem ele.",
    band: "“{plan}” não corresponde ao produto a segurar. Retire o seguro do carrinho e escolha-o novamente.",
  },
};

/** Shoppers read no more, and Shopify accepts 20,000 bytes from a Function. */
const MOST = 10;

/** The first messages, each once. */
export function messagesOf(violations: Violation[], { language, titleOf }: ReadCart): string[] {
  const texts = others[language] ?? english;
  const messages = violations.map(({ plan, reason }) => texts[reason].replace("{plan}", () => titleOf(plan)));
  return [...new Set(messages)].slice(0, MOST);
}
