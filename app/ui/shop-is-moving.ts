/** What a merchant reads while another cell takes the shop over: on a page, and where not even the shell can be made. */
export const shopIsMoving = {
  en: {
    title: "Your shop is being moved",
    body: "Its data goes to another server, which takes some minutes. Orders that are paid meanwhile are insured afterwards. Reload the page in a moment.",
  },
  fr: {
    title: "Votre boutique est en cours de déplacement",
    body: "Ses données passent sur un autre serveur, ce qui prend quelques minutes. Les commandes payées entre-temps seront assurées ensuite. Rechargez la page dans un instant.",
  },
};
