export const en = {
  title: "Catalogue",
  subtitle: "The insurance references that your shop sells",
  sync: "Sync now",
};

export const fr: typeof en = {
  title: "Catalogue",
  subtitle: "Les références d’assurance que votre boutique vend",
  sync: "Synchroniser maintenant",
};
