/** Lines of JSON → the reader of their format, which is known only when the first of them were seen. */
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { JsonSyntaxError } from "@spoor/core/internal/trace/parse-json";
import { documentSample, formatOf, linesSample } from "../formats/choose-format.ts";
import { type Format, type ImportedTrace, type LineReader, SAMPLE_LINES } from "../formats/format.ts";
import { type Companions, findCompanions } from "./claude-companions.ts";
import { type FileContext, importDocument } from "./file-context.ts";
import { RequestLines } from "./request-lines.ts";
import { badJson, emptyTrace, unknownFormat } from "./trace-errors.ts";

/** Holds the first lines back until the format is known, then passes every line straight to its reader. */
export class LineStream {
  skipped = 0;
  torn = 0;
  notNumbers = 0;
  /** The last line is no JSON and no line break follows it; what that means depends on the format. */
  private tornEnd: SpoorError | undefined;
  private readonly file: string;
  private readonly context: FileContext;
  private readonly lines = new RequestLines();
  private format: Format | undefined;
  private reader: LineReader | undefined;
  readonly head: Json[] = [];
  private companions: Companions | undefined;
  private held: { value: Json; line: number }[] = [];
  /** An error in a held line is thrown only if the content turns out to be lines at all. */
  private goodLines = 0;

  constructor(file: string, context: FileContext, forced: Format | undefined) {
    this.file = file;
    this.context = context;
    this.format = forced;
    this.reader = forced?.openLines?.(context);
  }

  add(text: string, line: number, ended: boolean): void {
    let value: Json;
    try {
      const recorded = this.lines.parse(text);
      value = recorded.value;
      this.notNumbers += recorded.notNumbers;
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      if (text.trim() !== "") this.refuse(badJson(this.file, text, error, line, this.goodLines), ended);
      return;
    }
    this.goodLines++;
    if (this.head.length < SAMPLE_LINES) this.head.push(value);
    if (this.reader !== undefined) this.pass(value, line);
    else {
      this.held.push({ value, line });
      if (this.held.length === SAMPLE_LINES && this.format === undefined) this.decide();
    }
  }

  refuse(error: SpoorError, ended: boolean): void {
    if (ended || error.code === "trace.line-too-large") this.reject(error);
    else this.tornEnd = error;
  }

  private reject(error: SpoorError): void {
    if (!this.context.lenient) throw error;
    this.skipped++;
  }

  finish(): { format: string; imported: readonly ImportedTrace[] } {
    if (this.tornEnd !== undefined) this.judgeTornEnd(this.tornEnd);
    if (this.held.length === 1 && this.reader === undefined) return this.finishDocument(this.held[0]!.value);
    if (this.reader === undefined) this.decide();
    for (const value of this.companions?.rest() ?? []) this.reader!.line(value, 0);
    return { format: this.format!.name, imported: this.reader!.finish() };
  }

  /** Dropped and counted where a writer can have been killed; everywhere else a line that cannot be read is an error. */
  private judgeTornEnd(error: SpoorError): void {
    const format =
      this.format ?? (this.held.length === 0 ? undefined : formatOf(linesSample(this.held.map((one) => one.value))));
    if (this.reader === undefined && format?.openLines !== undefined && this.held.length > 0) this.decide();
    if (this.reader?.mayEndTorn?.()) this.torn++;
    else this.reject(error);
  }

  /** A single line may be a whole document of a format that has no lines. */
  private finishDocument(value: Json): { format: string; imported: readonly ImportedTrace[] } {
    const sample = documentSample(value);
    const format = this.format ?? formatOf(sample);
    if (format === undefined) throw unknownFormat(this.file, sample);
    return { format: format.name, imported: importDocument(format, value, this.context) };
  }

  private decide(): void {
    const sample = linesSample(this.held.map((entry) => entry.value));
    if (this.held.length === 0) throw emptyTrace(this.file);
    this.format ??= formatOf(sample);
    if (this.format === undefined) throw unknownFormat(this.file, sample);
    if (this.format.openLines === undefined)
      this.context.fail(`is lines of JSON, but ${this.format.title} is one document`);
    this.reader = this.format.openLines(this.context);
    if (this.format.name === "claude-code" && this.context.stands)
      this.companions = findCompanions(this.file, this.context.lenient);
    for (const { value, line } of this.held) this.pass(value, line);
    this.held = [];
  }

  private pass(value: Json, line: number): void {
    try {
      for (const before of this.companions?.before(value) ?? []) this.reader!.line(before, 0);
      this.reader!.line(value, line);
    } catch (error) {
      if (!(error instanceof SpoorError) || !this.context.lenient) throw error;
      this.skipped++;
    }
  }
}
