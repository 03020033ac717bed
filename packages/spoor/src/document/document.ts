/**
 * A report as people read it, before anyone decides where: blocks of text, tables and findings. `describe/` makes one document
 * of a report; `write/` makes a terminal screen, Markdown, HTML or plain text of it. Only writers know about quoting, widths and
 * colours, so a describer cannot forget to escape anything: every string in a document is text, wherever it came from.
 */
import type { Timeline } from "@spoor/core/internal/diff/timeline";
import type { ComparisonView } from "@spoor/core/internal/gate/comparison-view";
import type { RunRow } from "@spoor/core/internal/report/run-row";
import type { RunView } from "@spoor/core/internal/report/run-view";

export type Text = readonly Inline[];

/** A plain string is text in our own words. All of it is escaped by every writer. */
export type Inline = string | Name | Command | Styled | Link | MarkSymbol;

/** A word of the user's or of a trace: a tool, a file, a path, a value. Code type where the medium has one. */
export interface Name {
  readonly kind: "name";
  readonly text: string;
}

/** A command of ours, `spoor show …`: printed as its reader would type it. */
export interface Command {
  readonly kind: "command";
  readonly text: string;
}

export type Tone = "good" | "bad" | "warn" | "dim" | "strong";

export interface Styled {
  readonly kind: "styled";
  readonly tone: Tone;
  readonly text: Text;
}

/** A place inside the same page; the text alone where nothing can be followed. */
export interface Link {
  readonly kind: "link";
  readonly anchor: string;
  /** Which traces the page lists then, as `trace-filter.ts` writes it. */
  readonly only?: string;
  /** Where the page is, for what is read elsewhere. */
  readonly page?: string;
  readonly text: Text;
}

/** How a thing came out. Each has a symbol, and never stands without a word beside it. */
export type Mark = "passed" | "failed" | "warning" | "unknown";

/** The symbol of a mark inside a text; the words beside it say the same. */
export interface MarkSymbol {
  readonly kind: "mark";
  readonly mark: Mark;
}

export type Medium = "terminal" | "markdown" | "html";

export interface Document {
  /** Of the page, and of the comment's marker: `spoor:gate:support_agent`. */
  readonly id: string;
  /** The crumb of a page: the agent, the two sides. */
  readonly subject: Text;
  readonly blocks: readonly Block[];
  /** Tool, seed, counts: what stands small at the very end of pages and comments. */
  readonly footer: readonly Text[];
  /** The turns of two runs side by side, for the page's timeline. */
  readonly comparison?: ComparisonView;
  /** Runs that the page can show whole: it carries them, or asks for them where it came from. */
  readonly runs?: readonly PageRun[] | "live";
}

/** A run as a line of the page's list, and the run itself. */
export interface PageRun {
  /** With what it is called in the list. */
  readonly row: RunRow & { readonly label: string };
  readonly view: RunView;
}

export type Block =
  | Verdict
  | Heading
  | Paragraph
  | Facts
  | Table
  | Findings
  | Lines
  | Section
  | Fold
  | Group
  | SideBySide
  | Paths
  | Patch
  | PlotBlock
  | ComparisonBlock
  | RunsBlock
  | Closing;

/** The first line: what happened, in one sentence without its full stop, and what supports it. */
export interface Verdict {
  readonly kind: "verdict";
  readonly mark: Mark;
  /** `Blocked`, before the sentence. */
  readonly word?: string;
  readonly headline: Text;
  readonly detail?: Text;
  /** What else moved with it: pages and comments say it here, a terminal has it in its rows. */
  readonly beside?: Text;
  /** Where a page leads to from here. */
  readonly links?: readonly Link[];
  /** The few numbers that a page shows beside the sentence. */
  readonly facts?: readonly Fact[];
  readonly patch?: Patch;
}

/** The first line of a document that judges nothing. */
export interface Heading {
  readonly kind: "heading";
  readonly text: Text;
}

export interface Paragraph {
  readonly kind: "paragraph";
  readonly text: Text;
}

/** `Coverage  32 turns read`: a label and what it says. Labels line up; an empty one continues the row above. */
export interface Facts {
  readonly kind: "facts";
  readonly facts: readonly Fact[];
}

export interface Fact {
  readonly label: string;
  readonly text: Text;
  readonly note?: Text;
}

export interface Table {
  readonly kind: "table";
  /** For those who hear the page. */
  readonly caption?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** What was left out, in words. */
  readonly more?: Text;
}

export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
  /** Terminal columns: at least, at most; exactly when both are equal. */
  readonly min?: number;
  readonly max?: number;
  /** Spaces before the column on a terminal; 2 unless said. */
  readonly gap?: number;
  /** What happens to a text that is too wide: cut at its end (unless said), in its middle, or broken into lines. */
  readonly fit?: "end" | "middle" | "wrap";
  /** Left out of narrower terminals. */
  readonly dropBelow?: number;
  readonly only?: readonly Medium[];
}

export interface Row {
  /** One per column; a short row is filled by `rest`. */
  readonly cells: readonly Cell[];
  readonly rest?: Text;
  readonly tone?: Tone;
}

export type Cell = Text | Bar | Spark | Stack;

/** A shift on the one scale of all bars: 0 is no change, -1 and 1 are where severe begins. */
export interface Bar {
  readonly kind: "bar";
  readonly point: number;
  readonly low: number;
  readonly high: number;
  /** The same in words. */
  readonly says: Text;
}

/** A series in few columns. */
export interface Spark {
  readonly kind: "spark";
  readonly values: readonly (number | null)[];
}

/** Several texts below each other. */
export interface Stack {
  readonly kind: "stack";
  readonly texts: readonly Text[];
}

/** Things with a mark, each with what belongs to it below: rules, evaluators, steps, lenses. */
export interface Findings {
  readonly kind: "findings";
  /** Titles of `cells` and `right`, for tables. */
  readonly titles: readonly string[];
  readonly items: readonly Finding[];
  readonly more?: Text;
}

export interface Finding {
  readonly mark?: Mark;
  /** Lined up from item to item; the last one is broken into lines where it is too long. */
  readonly cells: readonly Text[];
  /** Which cell names the thing, for the title of a folded body. */
  readonly named?: number;
  /** At the right margin: where it stands, what it looked at. */
  readonly right?: Text;
  readonly body?: readonly Block[];
}

/** Lines that keep their shape: never joined, cut rather than broken. */
export interface Lines {
  readonly kind: "lines";
  readonly lines: readonly Text[];
}

/** A part with a title of its own. */
export interface Section {
  readonly kind: "section";
  readonly id?: string;
  readonly title: Text;
  /** One sentence below the title. */
  readonly sub?: Text;
  readonly blocks: readonly Block[];
  /** Two sections beside each other on a wide page. */
  readonly half?: boolean;
}

/** Details for those who want them: folded on pages, absent from a terminal unless `open`. */
export interface Fold {
  readonly kind: "fold";
  readonly title: Text;
  readonly blocks: readonly Block[];
  readonly open?: boolean;
  /** How it is called where it had to be left out for length: "the signals". */
  readonly name: string;
}

/** Blocks that stand close together, or that only some media show. */
export interface Group {
  readonly kind: "group";
  readonly blocks: readonly Block[];
  readonly only?: readonly Medium[];
  /** Further in on a terminal: what belongs to the line above. */
  readonly inset?: boolean;
}

/** Two runs beside each other, turn by turn. */
export interface SideBySide {
  readonly kind: "side_by_side";
  readonly timeline: Timeline;
  /** Every turn, argument and result, below each other where there is no room for both; else what is around the first change. */
  readonly whole?: true;
}

/** A known tool path and the one taken now, step under step: what only one of them has leaves a gap in the other. */
export interface Paths {
  readonly kind: "paths";
  readonly known: string;
  readonly now: string;
  readonly steps: readonly { readonly step: string; readonly side: "both" | "known" | "now" }[];
}

/** Lines that went out and came in. */
export interface Patch {
  readonly kind: "patch";
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly more: number;
}

/** A picture of numbers that the words around it say as well. Only pages show it. */
export interface PlotBlock {
  readonly kind: "plot";
  readonly plot: Plot;
}

export interface Plot {
  readonly title: string;
  /** What the picture shows, for those who do not see it. */
  readonly description: string;
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
}

export type ShapeClass = "axis" | "grid" | "calm" | "loud" | "band" | "dim" | `series-${number}`;

export type Shape =
  | {
      readonly shape: "text";
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly anchor?: "start" | "middle" | "end";
      readonly class?: ShapeClass;
    }
  | {
      readonly shape: "line";
      readonly x1: number;
      readonly y1: number;
      readonly x2: number;
      readonly y2: number;
      readonly class: ShapeClass;
      readonly width?: number;
    }
  | { readonly shape: "band"; readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  | {
      readonly shape: "dot";
      readonly x: number;
      readonly y: number;
      readonly class: ShapeClass;
      readonly radius?: number;
    }
  | {
      readonly shape: "curve";
      readonly points: readonly (readonly [x: number, y: number])[];
      readonly class: ShapeClass;
      readonly width?: number;
    };

/** Where the page's timeline stands. */
export interface ComparisonBlock {
  readonly kind: "comparison";
}

/** Where the page's runs stand. */
export interface RunsBlock {
  readonly kind: "runs";
}

/** The end: the last sentence, the exit code at the right margin, what to type next. */
export interface Closing {
  readonly kind: "closing";
  readonly text?: Text;
  readonly exitCode?: number;
  /** Where the page was written. */
  readonly page?: string;
  /** Commands of ours, to be printed as their reader would type them. */
  readonly next?: readonly string[];
}
