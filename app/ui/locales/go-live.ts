export const en = {
  title: "Go live",
  subtitle: "From test insurance to real contracts",
  live: {
    title: "Your shop is live",
    body: "Insured orders create real contracts. To try something out, use the test account again under Settings, Connection.",
  },
  going: {
    title: "The production catalogue is being synced",
    body: "Your shop sells test insurance until it is there, then everything changes in one moment. You can leave this page.",
    stop: "Stay with the test account",
  },
  checks: "Before you go live",
  checked: "What your shop sells with",
  open: "To do",
  done: "Done",
  connected: {
    title: "Connect your production account",
    todo: "Paste the store ID and token of the production environment. Connecting changes nothing in your shop yet.",
    done: "Your production account is connected.",
    action: "Connect production",
  },
  catalogue: {
    title: "Sync the production catalogue",
    todo: "Parasol does this once you go live, before the shop changes.",
    running: "The production catalogue is being synced.",
    failed: "The last sync of the production catalogue failed.",
    done_one: "{{count}} production offer is on sale.",
    done_other: "{{count}} production offers are on sale.",
    action: "View catalogue",
  },
  products: {
    title: "Choose which products can be insured",
    todo: "No product has an insurance category yet.",
    done_one: "{{count}} product has an insurance category.",
    done_other: "{{count}} products have an insurance category.",
    action: "Choose categories",
  },
  offer: {
    title: "Show the offer on the product page",
    reading: "The published theme is being read.",
    unknown:
      "The published theme cannot be read right now. Open a product of your shop to see whether it shows the offer.",
    off: "The product page is switched off under Display in your shop.",
    todo: "The published theme does not show the offer.",
    done: "The published theme shows the offer.",
    action: "View display",
  },
  testData: {
    title: "What happens to your test data",
    body: "Orders and contracts of your tests stay in the test account and insure nobody. They are still listed, are cancelled there if you cancel the order, and are left out of the figures on Home and in Analytics.",
    carts: "An order that is being paid with test insurance when you go live stays a test contract.",
  },
  action: "Go live",
  confirm: {
    title: "Go live with your production account?",
    body: "Once the production catalogue is in your shop, insured orders create real contracts for real customers. Contracts of your tests stay in the test account.",
    open: "Not everything on this page is done yet.",
  },
};

export const fr: typeof en = {
  title: "Passer en production",
  subtitle: "Des assurances de test aux vrais contrats",
  live: {
    title: "Votre boutique est en production",
    body: "Les commandes assurées créent de vrais contrats. Pour un essai, revenez au compte de test dans Paramètres, Connexion.",
  },
  going: {
    title: "Le catalogue de production est en cours de synchronisation",
    body: "D’ici là, votre boutique vend des assurances de test ; ensuite, tout change en un instant. Vous pouvez quitter cette page.",
    stop: "Rester sur le compte de test",
  },
  checks: "Avant de passer en production",
  checked: "Ce avec quoi votre boutique vend",
  open: "À faire",
  done: "Fait",
  connected: {
    title: "Connectez votre compte de production",
    todo: "Collez l’identifiant du magasin et le jeton de l’environnement de production. La connexion ne change encore rien dans votre boutique.",
    done: "Votre compte de production est connecté.",
    action: "Connecter la production",
  },
  catalogue: {
    title: "Synchronisez le catalogue de production",
    todo: "Parasol s’en charge au passage en production, avant que la boutique ne change.",
    running: "Le catalogue de production est en cours de synchronisation.",
    failed: "La dernière synchronisation du catalogue de production a échoué.",
    done_one: "{{count}} offre de production est en vente.",
    done_other: "{{count}} offres de production sont en vente.",
    action: "Voir le catalogue",
  },
  products: {
    title: "Choisissez les produits assurables",
    todo: "Aucun produit n’a encore de catégorie d’assurance.",
    done_one: "{{count}} produit a une catégorie d’assurance.",
    done_other: "{{count}} produits ont une catégorie d’assurance.",
    action: "Choisir les catégories",
  },
  offer: {
    title: "Affichez l’offre sur la page produit",
    reading: "Le thème publié est en cours de lecture.",
    unknown:
      "Le thème publié ne peut pas être lu pour l’instant. Ouvrez un produit de votre boutique pour voir s’il affiche l’offre.",
    off: "La page produit est désactivée dans « Affichage en boutique ».",
    todo: "Le thème publié n’affiche pas l’offre.",
    done: "Le thème publié affiche l’offre.",
    action: "Voir l’affichage",
  },
  testData: {
    title: "Ce que deviennent vos données de test",
    body: "Les commandes et contrats de vos essais restent dans le compte de test et n’assurent personne. Ils restent affichés, y sont annulés si vous annulez la commande, et ne comptent pas dans les chiffres de l’accueil et des Statistiques.",
    carts:
      "Une commande en cours de paiement avec une assurance de test au moment du passage reste un contrat de test.",
  },
  action: "Passer en production",
  confirm: {
    title: "Passer en production avec votre compte de production ?",
    body: "Dès que le catalogue de production sera dans votre boutique, les commandes assurées créeront de vrais contrats pour de vrais clients. Les contrats de vos essais restent dans le compte de test.",
    open: "Tout n’est pas encore fait sur cette page.",
  },
};
