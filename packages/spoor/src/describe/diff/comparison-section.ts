import type { Section } from "../../document/document.ts";

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
