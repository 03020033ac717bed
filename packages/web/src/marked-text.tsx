import { lcsPairs } from "@spoor/core/internal/stats/lcs";
import { printableLines } from "@spoor/core/internal/text/printable";
import { useMemo } from "preact/hooks";

/** Longer texts are shown unmarked: the comparison is quadratic in their words. */
const MAX_WORDS = 600;

interface Piece {
  readonly text: string;
  readonly own: boolean;
}

/** A text whose words that the other side does not have are marked. */
export function MarkedText({ text, other, added }: { text: string; other: string | undefined; added: boolean }) {
  const pieces = useMemo(() => split(text, other).map(shown), [text, other]);
  return (
    <>
      {pieces.map((piece, index) => {
        if (!piece.own) return piece.text;
        return added ? <ins key={index}>{piece.text}</ins> : <del key={index}>{piece.text}</del>;
      })}
    </>
  );
}

const shown = ({ text, own }: Piece): Piece => ({ text: printableLines(text).join("\n"), own });

/** Runs of words inside and outside the longest common subsequence of the two texts. */
function split(text: string, other: string | undefined): Piece[] {
  if (other === undefined || other === text) return [{ text, own: false }];
  const mine = text.split(/(?<=\s)/);
  const theirs = other.split(/(?<=\s)/);
  if (mine.length > MAX_WORDS || theirs.length > MAX_WORDS) return [{ text, own: false }];
  const common = lcsPairs(
    mine.map((word) => word.trim()),
    theirs.map((word) => word.trim()),
  );
  const kept = new Set(common.map(([index]) => index));
  const pieces: Piece[] = [];
  for (const [index, word] of mine.entries()) {
    const own = !kept.has(index);
    const last = pieces.at(-1);
    if (last !== undefined && last.own === own) pieces[pieces.length - 1] = { text: last.text + word, own };
    else pieces.push({ text: word, own });
  }
  return pieces;
}
