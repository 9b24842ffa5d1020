/** What a merchant enters about the insurer, and European law requires of every offer. */
export const insurerTexts = {
  insurer: "Voltigeur",
  insurer_address: "1 rue de la Paix, 75002 Paris",
  complaints: "reclamation@voltigeur.example",
};
