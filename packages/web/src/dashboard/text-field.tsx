interface TextFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly type?: "text" | "url" | "search";
  readonly placeholder?: string;
  /** What a browser may propose; nothing unless told. */
  readonly propose?: string;
}

/** A line of text with its name before it, in a form or above a list. */
export function TextField({ id, label, value, onValue, type = "text", placeholder, propose = "off" }: TextFieldProps) {
  return (
    <p>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="field"
        // Types of elements tell inputs apart by a word that only the caller knows.
        type={type as "text"}
        value={value}
        {...(placeholder === undefined ? {} : { placeholder })}
        autoComplete={propose}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </p>
  );
}
