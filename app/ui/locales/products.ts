export const en = {
  title: "Products and categories",
  subtitle: "Which insurance each product of your shop gets",
};

export const fr: typeof en = {
  title: "Produits et catégories",
  subtitle: "Quelle assurance reçoit chaque produit de votre boutique",
};
