/** Answers every request with a list of plans as long as its argument says. Prints its address as one JSON line. */
import { createServer } from "node:http";
import { listen } from "../../sandbox/listen.ts";

const plans = Array.from({ length: Number(process.argv[2]) }, (_, index) => ({
  id: `CT-${index}`,
  order_reference_id: `60${index}`,
  offer_reference_id: "SMA-CV-24-05",
  status: "active",
  purchase_date: "31/03/2026",
  title: "Smartphone",
  term_length: 24,
  price: 98.9,
  currency_code: "EUR",
  customer: {
    email: `a${index}@example.com`,
    first_name: "Zoé",
    last_name: "Roux",
    address: { city: "Paris", zip_code: "75011", address1: "12 rue" },
  },
}));
const body = Buffer.from(JSON.stringify({ data: { plans } }));
const { url } = await listen(createServer((_, outgoing) => outgoing.end(body)));
console.log(JSON.stringify({ url, bytes: body.length }));
