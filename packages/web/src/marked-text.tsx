import { useMemo } from "preact/hooks";

/** Longer texts are shown unmarked: the comparison is quadratic in their words. */
const MAX_WORDS = 600;

interface Piece {
  readonly text: string;
  readonly own: boolean;
}

/** A text whose words that the other side does not have are marked. */
export function MarkedText({ text, other, added }: { text: string; other: string | undefined; added: boolean }) {
  const pieces = useMemo(() => split(text, other), [text, other]);
  return (
    <>
      {pieces.map((piece, index) => {
        if (!piece.own) return piece.text;
        return added ? <ins key={index}>{piece.text}</ins> : <del key={index}>{piece.text}</del>;
      })}
    </>
  );
}

/** Runs of words inside and outside the longest common subsequence of the two texts. */
function split(text: string, other: string | undefined): Piece[] {
  if (other === undefined || other === text) return [{ text, own: false }];
  const mine = text.split(/(?<=\s)/);
  const theirs = other.split(/(?<=\s)/);
  if (mine.length > MAX_WORDS || theirs.length > MAX_WORDS) return [{ text, own: false }];
  const kept = commonWords(
    mine.map((word) => word.trim()),
    theirs.map((word) => word.trim()),
  );
  const pieces: Piece[] = [];
  for (const [index, word] of mine.entries()) {
    const own = !kept.has(index);
    const last = pieces.at(-1);
    if (last !== undefined && last.own === own) pieces[pieces.length - 1] = { text: last.text + word, own };
    else pieces.push({ text: word, own });
  }
  return pieces;
}

function commonWords(left: readonly string[], right: readonly string[]): Set<number> {
  const width = right.length + 1;
  const table = new Uint16Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      table[i * width + j] =
        left[i] === right[j]
          ? table[(i + 1) * width + j + 1]! + 1
          : Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!);
    }
  }
  const kept = new Set<number>();
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    if (left[i] === right[j]) {
      kept.add(i);
      i++;
      j++;
    } else if (table[(i + 1) * width + j]! >= table[i * width + j + 1]!) i++;
    else j++;
  }
  return kept;
}
