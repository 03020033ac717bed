/**
 * How a terminal report looks: its width, its symbols and its colours. Renderers take one of these and never ask the
 * world; without colour the words stay the same.
 */
export interface TerminalOptions {
  readonly columns: number;
  readonly color: boolean;
  readonly ascii: boolean;
  /** How the reader starts the tool, for commands to paste: `npx spoor`. */
  readonly program: string;
}

export interface TerminalStyle extends TerminalOptions {
  readonly symbols: Symbols;
  readonly paint: Paint;
}

export interface Symbols {
  readonly passed: string;
  readonly failed: string;
  readonly warning: string;
  readonly unknown: string;
  readonly ellipsis: string;
  readonly arrow: string;
  readonly first: string;
  readonly middle: string;
  readonly last: string;
  /** The gutter between a line number and a source line. */
  readonly gutter: string;
  /** Parts of a bar: left end, line, point, right end, threshold, zero, beyond the scale on either side. */
  readonly bar: {
    left: string;
    line: string;
    point: string;
    right: string;
    mark: string;
    zero: string;
    beyond: string;
    below: string;
  };
  /** Marks of runs: passed, failed, running, waiting. */
  readonly run: { passed: string; failed: string; lost: string; running: string; waiting: string };
  readonly times: string;
}

type Painter = (text: string) => string;
export interface Paint {
  readonly good: Painter;
  readonly bad: Painter;
  readonly warn: Painter;
  readonly dim: Painter;
  readonly bold: Painter;
}

const UNICODE: Symbols = {
  passed: "✓",
  failed: "✗",
  warning: "!",
  unknown: "?",
  ellipsis: "…",
  arrow: "→",
  first: "┌",
  middle: "│",
  last: "└",
  gutter: "│",
  bar: { left: "├", line: "─", point: "●", right: "┤", mark: "┊", zero: "│", beyond: "▸", below: "◂" },
  run: { passed: "✓", failed: "✗", lost: "?", running: "›", waiting: "·" },
  times: "×",
};

const ASCII: Symbols = {
  passed: "ok",
  failed: "X",
  warning: "!",
  unknown: "?",
  ellipsis: "...",
  arrow: "->",
  first: "/",
  middle: "|",
  last: "\\",
  gutter: "|",
  bar: { left: "|", line: "-", point: "o", right: "|", mark: ".", zero: ":", beyond: ">", below: "<" },
  run: { passed: "+", failed: "x", lost: "?", running: ">", waiting: "." },
  times: "x",
};

const plain: Painter = (text) => text;
const code =
  (open: number, close: number): Painter =>
  (text) =>
    text === "" ? "" : `\u001b[${open}m${text}\u001b[${close}m`;

const NO_PAINT: Paint = { good: plain, bad: plain, warn: plain, dim: plain, bold: plain };
const COLOURS: Paint = {
  good: code(32, 39),
  bad: code(31, 39),
  warn: code(33, 39),
  dim: code(2, 22),
  bold: code(1, 22),
};

export function createTerminalStyle(options: Partial<TerminalOptions> = {}): TerminalStyle {
  const { columns = 80, color = false, ascii = false, program = "spoor" } = options;
  return { columns, color, ascii, program, symbols: ascii ? ASCII : UNICODE, paint: color ? COLOURS : NO_PAINT };
}
