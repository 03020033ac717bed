import type { ComparisonWords } from "@spoor/core/internal/gate/comparison-view";
import type { Section } from "../../document/document.ts";
import { capitalised, plainText } from "../../document/text.ts";
import { ANYWHERE, typedCommand } from "../../document/typed-command.ts";
import { cardTitle } from "../gate/card-words.ts";
import { showCommand } from "../places.ts";
import { firstInputSentence } from "./first-input-text.ts";

/** What a page says about a comparison, turn by turn. */
export const comparisonWords: ComparisonWords = {
  goingIn: firstInputSentence,
  show(side) {
    const command = showCommand(side);
    return command === undefined ? undefined : typedCommand(command, ANYWHERE);
  },
  card: (card) => plainText(capitalised(cardTitle(card))),
};

/** Where the page's timeline stands. */
export function comparisonSection(): Section {
  return {
    kind: "section",
    id: "traces",
    title: ["What the agent did"],
    sub: [
      "Turns are aligned, so a turn that is gone leaves a space. Unchanged turns are one line; select one to open it.",
    ],
    blocks: [{ kind: "comparison" }],
  };
}
