/** The field that marks a text in what is shown; it stands in the address. */
import { change } from "./place.ts";

export function FindIn({ label, text }: { label: string; text: string }) {
  return (
    <p className="find-in">
      <label htmlFor="find-in">{label}</label>
      <input
        id="find-in"
        className="field"
        type="search"
        value={text}
        placeholder="refund.amount"
        onInput={(event) => change({ q: event.currentTarget.value })}
      />
    </p>
  );
}
