import { describe, expect, it } from "vitest";
import { findLegalGaps, type LegalFacts, minWithdrawalDays } from "#app/merchants/law.ts";
import { insurerTexts } from "#test/insurer-texts.ts";

const lawful: LegalFacts = {
  ...insurerTexts,
  country: "FR",
  countries: ["FR"],
  withdrawalDays: 30,
  hasTwoDeadlines: false,
  mailIsOn: true,
};

describe("what a shop lacks before it may sell real insurance", () => {
  it.each<[string, Partial<LegalFacts>, string[]]>([
    ["nothing in a complete shop", {}, []],
    ["each text, in the order of the page", { insurer: "", complaints: "" }, ["insurer", "complaints"]],
    ["the mail server", { mailIsOn: false }, ["mail"]],
    ["the 30 days of France", { withdrawalDays: 14 }, ["withdrawal_days"]],
    ["the 30 days of its departments overseas", { country: "RE", withdrawalDays: 29 }, ["withdrawal_days"]],
    ["one deadline where a legal text names another", { hasTwoDeadlines: true }, ["two_deadlines"]],
    ["nothing in Germany with 14 days", { country: "DE", withdrawalDays: 14 }, []],
    ["the same in Norway, by the EEA agreement", { country: "NO", insurer_address: "" }, ["insurer_address"]],
    ["nothing outside Europe", { country: "CA", countries: ["CA"], complaints: "", mailIsOn: false }, []],
    [
      "the texts where it sells to Europe",
      { country: "CH", countries: ["CH", "FR"], insurer: "" },
      ["insurer"],
    ],
    ["the texts where its country is not known", { country: "", countries: [], insurer: "" }, ["insurer"]],
  ])("is %s", (_name, facts, gaps) => {
    expect(findLegalGaps({ ...lawful, ...facts })).toEqual(gaps);
  });

  it("is a period of 14 days where a shop's country is not known", () => {
    expect(minWithdrawalDays("")).toBe(14);
  });
});
