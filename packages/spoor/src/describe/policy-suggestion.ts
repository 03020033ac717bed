/** Rules that already hold, in words, and the policy file that would keep them. */
import type { Document } from "../document/document.ts";
import { name, say, styled } from "../document/text.ts";
import { count } from "../document/words.ts";

export interface PolicySuggestion {
  readonly traces: number;
  readonly rules: readonly {
    readonly id: string;
    readonly says: string;
    readonly evidence: string;
    readonly suggested: boolean;
  }[];
  /** The file, as it would be written. */
  readonly policy: string;
}

export function describeSuggestion({ traces, rules }: PolicySuggestion): Document {
  return {
    id: "spoor:policy-suggestion",
    subject: ["rules that hold"],
    blocks: [
      {
        kind: "heading",
        text: say`${count(rules.length, "rule")} that ${rules.length === 1 ? "holds" : "hold"} in ${traces === 1 ? "the only run" : `all ${traces} runs`}`,
      },
      {
        kind: "table",
        columns: [{ title: "rule" }, { title: "says", fit: "wrap" }, { title: "evidence", fit: "wrap", dropBelow: 60 }],
        rows: rules.map(({ id, says, evidence, suggested }) => ({
          cells: [[name(id)], [says], [suggested ? evidence : styled("dim", evidence)]],
        })),
      },
      { kind: "paragraph", text: ["The policy, which is not written anywhere yet:"] },
    ],
    footer: [],
  };
}
