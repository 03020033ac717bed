/** A text in which what the reader looks for is marked. */
export function MarkedQuery({ text, query }: { text: string; query: string }) {
  if (query === "") return <>{text}</>;
  const wanted = query.toLowerCase();
  const lower = text.toLowerCase();
  // Lower case may be longer than the text itself; then places do not fit.
  if (lower.length !== text.length) return <>{text}</>;
  const pieces = [];
  let from = 0;
  for (let at = lower.indexOf(wanted); at >= 0 && pieces.length < MOST_MARKS; at = lower.indexOf(wanted, from)) {
    pieces.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + wanted.length)}</mark>);
    from = at + wanted.length;
  }
  return (
    <>
      {pieces}
      {text.slice(from)}
    </>
  );
}

const MOST_MARKS = 400;
