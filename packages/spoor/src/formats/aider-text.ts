/**
 * The chat history that aider writes as Markdown, cut into what it says: where a chat begins, what a person typed (`####`), what aider itself
 * said (`>`), and what is left, the model's answers. aider ends each line of its own and each typed one with two spaces, which a heading or a
 * quotation inside an answer has not; only in a file whose line ends were trimmed must aider's own lines tell where an answer is over.
 */
export type AiderBlock =
  | { readonly kind: "chat"; readonly text: string }
  | { readonly kind: "typed"; readonly text: string }
  | { readonly kind: "said"; readonly text: string }
  | { readonly kind: "answer"; readonly text: string };

export interface AiderText {
  readonly blocks: readonly AiderBlock[];
  /** The two spaces at line ends are gone: what a heading is, is told by aider's lines alone. */
  readonly trimmed: boolean;
}

const CHAT = /^# aider chat started at (.+?)\s*$/;
const TYPED = /^####(?: |$)/;
const SAID = /^>(?: |$)/;
const MARKED = / {2}\r?$/;
/** What aider says when an answer is over, however it ended; a block of code that was left open ends there too. */
const OVER =
  /^> (?:Tokens: |\^C|litellm\.|The LLM did not conform|Applied edit to |Did not apply edit to |Skipping edits to |Creating empty file |Commit [0-9a-f]{7} )/;
const FENCE = /^\s*(`{3,}|~{3,})/;

export function cutAiderText(text: string): AiderText {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  const cutter = new Cutter(!lines.some((line) => (TYPED.test(line) || SAID.test(line)) && MARKED.test(line)));
  for (const line of lines) cutter.add(line);
  return { blocks: cutter.finish(), trimmed: cutter.trimmed };
}

class Cutter {
  readonly trimmed: boolean;
  private readonly blocks: AiderBlock[] = [];
  private kind: AiderBlock["kind"] = "chat";
  private held: string[] = [];
  /** The marks that opened a block of code in the answer at hand. */
  private fence = "";
  private wasBlank = true;
  /** aider said something of several lines: only the last has the two spaces. */
  private goesOn = false;

  constructor(trimmed: boolean) {
    this.trimmed = trimmed;
  }

  add(line: string): void {
    const chat = CHAT.exec(line);
    if (chat !== null) {
      this.close();
      this.blocks.push({ kind: "chat", text: chat[1]! });
      this.kind = "chat";
    } else if (this.goesOn) {
      this.held.push(line.trimEnd());
      this.goesOn = !MARKED.test(line);
    } else if (this.isSaid(line)) {
      this.begin("said", line.replace(SAID, "").trim());
      this.goesOn = !this.trimmed && !MARKED.test(line);
    } else if (this.isTyped(line)) {
      if (this.kind === "typed" && !this.wasBlank) this.held.push(line.replace(TYPED, "").trimEnd());
      else this.begin("typed", line.replace(TYPED, "").trimEnd());
    } else if (this.kind === "said" && !this.wasBlank && line.trim() !== "") {
      // An answer begins after an empty line; this is more of what aider said.
      this.held.push(line.trimEnd());
    } else if (line.trim() !== "" || this.kind === "answer") {
      if (this.kind !== "answer") this.begin("answer", line);
      else this.held.push(line);
      this.follow(line);
    }
    this.wasBlank = line.trim() === "";
  }

  finish(): AiderBlock[] {
    this.close();
    return this.blocks;
  }

  private isSaid(line: string): boolean {
    if (!SAID.test(line)) return false;
    if (this.kind !== "answer" || OVER.test(line)) return true;
    return !this.trimmed && this.fence === "" && MARKED.test(line);
  }

  private isTyped(line: string): boolean {
    if (!TYPED.test(line)) return false;
    if (this.trimmed) return this.kind !== "answer";
    const isMarked = MARKED.test(line) || /^####\s*$/.test(line);
    return isMarked && (this.kind === "typed" || (this.wasBlank && this.fence === ""));
  }

  /** Whether a block of code is open after this line. */
  private follow(line: string): void {
    const marks = FENCE.exec(line)?.[1];
    if (marks === undefined) return;
    if (this.fence === "") this.fence = marks;
    else if (marks.startsWith(this.fence) && line.trim() === marks) this.fence = "";
  }

  private begin(kind: AiderBlock["kind"], line: string): void {
    this.close();
    this.kind = kind;
    this.held = [line];
  }

  private close(): void {
    const text = this.held.join("\n").trim();
    if (text !== "") this.blocks.push({ kind: this.kind, text });
    this.held = [];
    this.fence = "";
    this.goesOn = false;
  }
}
