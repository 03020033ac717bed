/** A document as plain lines: what an annotation, a test report or a log takes. No symbols, no widths, no markup. */

import { printable } from "@spoor/core/internal/text/printable";
import type { Block, Document, Finding, Text } from "../document/document.ts";
import { isEmpty, joined, plainText, say, sentences } from "../document/text.ts";
import { ANYWHERE, typedCommand } from "../document/typed-command.ts";

export function writePlain(document: Document): string {
  return `${document.blocks.flatMap(plainLines).join("\n")}\n`;
}

function plainLines(block: Block): string[] {
  switch (block.kind) {
    case "verdict": {
      const word = block.word === undefined ? "" : `${block.word}: `;
      return [line(sentences(say`${word}${block.headline}.`, block.detail))];
    }
    case "heading":
    case "paragraph":
      return [line(block.text)];
    case "lines":
      return block.lines.map(line);
    case "facts":
      return block.facts
        .filter(({ text }) => !isEmpty(text))
        .map(({ label, text, note }) => line(say`${label === "" ? "" : `${label}: `}${sentences(text, note)}`));
    case "table":
      return block.rows.map((row) =>
        line(
          joined(
            [
              ...row.cells.map(
                (cell): Text =>
                  Array.isArray(cell)
                    ? (cell as Text)
                    : "says" in cell
                      ? cell.says
                      : "texts" in cell
                        ? joined(cell.texts, "; ")
                        : [],
              ),
              ...(row.rest === undefined ? [] : [row.rest]),
            ],
            "  ",
          ),
        ),
      );
    case "findings":
      return block.items.flatMap(findingLines);
    case "section": {
      const inner = block.blocks.flatMap(plainLines);
      return inner.length === 0 ? [] : [line(block.title), ...inner];
    }
    case "fold":
      return block.blocks.flatMap(plainLines);
    case "group":
      // What a terminal shows, or a fact would stand once for every medium.
      return block.only === undefined || block.only.includes("terminal") ? block.blocks.flatMap(plainLines) : [];
    case "closing":
      return [
        ...(block.text === undefined ? [] : [line(block.text)]),
        ...(block.next ?? []).map((command) => `Next: ${printable(typedCommand(command, ANYWHERE))}`),
      ];
    case "paths":
      return [
        line([
          block.steps
            .map(({ step, side }) => (side === "known" ? `(without ${step})` : side === "now" ? `(new) ${step}` : step))
            .join(" > "),
        ]),
      ];
    case "patch":
      return [
        ...block.removed.map((text) => `- ${printable(text)}`),
        ...block.added.map((text) => `+ ${printable(text)}`),
      ];
    case "side_by_side":
    case "plot":
    case "comparison":
    case "runs":
      return [];
  }
}

function findingLines({ mark, cells, right, body = [] }: Finding): string[] {
  const words = joined(
    [...(mark === undefined ? [] : [[mark]]), ...cells, ...(right === undefined ? [] : [right])],
    "  ",
  );
  return [line(words), ...body.flatMap(plainLines)];
}

function line(text: Text): string {
  return printable(plainText(text));
}
