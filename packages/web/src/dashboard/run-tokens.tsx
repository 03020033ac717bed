/** The filters that are set, each a word that can be taken away; and the field that adds one. */
import { printable } from "@spoor/core/internal/text/printable";
import { useRef, useState } from "preact/hooks";
import { type Filter, filterNames, filterWord, readFilter } from "./filters.ts";
import { change } from "./place.ts";

const named = filterNames.filter((name) => name !== "q");

export function RunTokens({ filters }: { filters: readonly Filter[] }) {
  const field = useRef<HTMLInputElement>(null);
  const [wrong, setWrong] = useState("");
  const add = (event: Event) => {
    event.preventDefault();
    const text = field.current!.value.trim();
    if (text === "") return;
    const filter = readFilter(text);
    if (filter === undefined) {
      setWrong(text);
      return;
    }
    setWrong("");
    field.current!.value = "";
    change({ [filter.name]: filter.value, at: undefined });
  };
  return (
    <div className="tokens">
      {filters.map(({ name, value }) => (
        <span key={name} className="token">
          <span>
            {filterWord(name)} <b>{printable(value)}</b>
          </span>
          <button
            type="button"
            aria-label={`Without ${filterWord(name)} ${printable(value)}`}
            onClick={() => change({ [name]: undefined, at: undefined })}
          >
            ×
          </button>
        </span>
      ))}
      <form onSubmit={add}>
        <label className="vh" htmlFor="filter">
          Add a filter, as tool:issue_refund, or a text that runs hold
        </label>
        <input
          ref={field}
          id="filter"
          className="field"
          list="filter-names"
          placeholder="tool:issue_refund"
          autoComplete="off"
          aria-describedby="filter-wrong"
        />
        <datalist id="filter-names">
          {named.map((name) => (
            <option key={name} value={`${name}:`} />
          ))}
        </datalist>
      </form>
      <p id="filter-wrong" className="sub" role="status">
        {wrong === ""
          ? ""
          : `${printable(wrong)} is no filter. They are ${named.join(", ")}, each with a colon; a text without one is looked for in the runs.`}
      </p>
    </div>
  );
}
