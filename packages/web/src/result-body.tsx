/** What a call returned: data as a tree, beside the other side's where there is one; anything else as text. */
import type { Json } from "@spoor/core";
import { resultText } from "@spoor/core/internal/text/brief-json";
import { ArgumentTree } from "./argument-tree.tsx";
import { LongText } from "./long-text.tsx";

interface Props {
  output: Json;
  /** What the other side's call returned; absent where there is nothing to compare with. */
  other?: Json | undefined;
  showWas?: boolean;
  query: string;
}

export function ResultBody({ output, other, showWas = false, query }: Props) {
  const tree = treeOf(output);
  if (tree !== undefined) {
    const otherTree = other === undefined ? undefined : treeOf(other);
    return (
      <ArgumentTree value={tree} other={otherTree} compare={otherTree !== undefined} showWas={showWas} query={query} />
    );
  }
  const text = resultText(output);
  return text === "" ? <p className="muted">Empty.</p> : <LongText text={text} query={query} className="output" />;
}

/** A result that is data, or a text that is: tools mostly return JSON as text. */
function treeOf(output: Json): unknown {
  if (typeof output === "object" && output !== null) {
    const isTexts = Array.isArray(output) && resultText(output) !== JSON.stringify(output);
    return isTexts ? treeOf(resultText(output)) : output;
  }
  if (typeof output !== "string" || !/^\s*[[{]/.test(output)) return undefined;
  try {
    return JSON.parse(output) as unknown;
  } catch {
    return undefined;
  }
}
