/** What a word means, and what a report says about it, in words. */
import type { CheckMark } from "../document/check.ts";
import type { Block, Document, Text } from "../document/document.ts";
import { command, name, say, styled } from "../document/text.ts";
import { count } from "../document/words.ts";
import { showCommand } from "./places.ts";

export interface ExplainReport {
  readonly schema: "spoor.explain/1";
  readonly tool: { readonly name: string; readonly version: string };
  readonly word: string;
  readonly meanings: readonly Meaning[];
  /** What the saved report says under this word. */
  readonly findings: readonly ExplainedFinding[];
}

export interface Meaning {
  readonly word: string;
  readonly kind: string;
  readonly text: readonly string[];
  readonly keys?: readonly {
    readonly key: string;
    readonly type: string;
    readonly need: string;
    readonly help: string;
  }[];
  readonly page: string;
}

export interface ExplainedFinding {
  readonly lens: string;
  readonly name: string;
  readonly mark: CheckMark;
  readonly message: string;
  readonly places: readonly {
    readonly trace: string;
    readonly path?: string;
    readonly turnIndex?: number;
    readonly detail?: string;
  }[];
  /** Where the rule stands. */
  readonly rule?: { readonly file: string; readonly line?: number };
}

const SHOWN_PLACES = 5;

export function describeExplain({ word, meanings, findings }: ExplainReport): Document {
  return {
    id: "spoor:explain",
    subject: [name(word)],
    blocks: [...(findings.length === 0 ? [] : [findingsBlock(findings)]), ...meanings.flatMap(meaningBlocks)],
    footer: [],
  };
}

function meaningBlocks({ word, kind, text, keys = [], page }: Meaning): Block[] {
  return [
    { kind: "heading", text: say`${styled("strong", name(word))}  ${styled("dim", kind)}` },
    ...text.map((paragraph): Block => ({ kind: "paragraph", text: [paragraph] })),
    ...(keys.length === 0 ? [] : [keyTable(keys)]),
    { kind: "paragraph", text: say`More: ${name(page)}` },
  ];
}

function keyTable(keys: NonNullable<Meaning["keys"]>): Block {
  return {
    kind: "table",
    columns: [
      { title: "key", max: 26, fit: "wrap" },
      { title: "default", dropBelow: 70 },
      { title: "meaning", fit: "wrap" },
    ],
    rows: keys.map(({ key, type, need, help }) => ({
      cells: [[name(key)], [need], [`${help} (${type.replaceAll("`", "")})`]],
    })),
  };
}

function findingsBlock(findings: readonly ExplainedFinding[]): Block {
  return {
    kind: "section",
    title: ["In this report"],
    blocks: [
      {
        kind: "findings",
        titles: ["finding", "what"],
        items: findings.map(({ name: called, mark, message, places, rule }) => ({
          ...(mark === "skipped" ? {} : { mark }),
          cells: [[name(called)], [message]],
          body: [
            ...places
              .slice(0, SHOWN_PLACES)
              .map((place): Block => ({ kind: "paragraph", text: placeText(place, message) })),
            ...(places.length > SHOWN_PLACES
              ? [{ kind: "paragraph", text: [`and ${count(places.length - SHOWN_PLACES, "place")} more`] } as const]
              : []),
            ...(rule === undefined
              ? []
              : [
                  {
                    kind: "paragraph",
                    text: say`The rule: ${name(`${rule.file}${rule.line === undefined ? "" : `:${rule.line}`}`)}`,
                  } as const,
                ]),
          ],
        })),
      },
    ],
  };
}

function placeText({ trace, path, turnIndex, detail }: ExplainedFinding["places"][number], message: string): Text {
  const shown = showCommand({ path, turnIndex });
  const turn = turnIndex === undefined ? "" : `, turn ${turnIndex + 1}`;
  const what = detail === undefined || detail === message ? "" : `: ${detail}`;
  return say`${name(trace)}${turn}${what}${shown === undefined ? "" : "  "}${shown === undefined ? undefined : command(shown)}`;
}
