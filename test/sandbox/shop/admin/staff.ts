/** The one member of staff who is logged in to the stand-in's admin. */
export const staff = {
  id: "98230000001",
  sessionId: "8f1d2c3b-4a59-4e68-9d77-0c6b5a493827",
  name: "Camille Martin",
};
