/**
 * Prints a report in the format asked for and writes it to every `-o FILE`, by extension. Files are written whole or not
 * at all. A format the report has no renderer for is refused before anything is written.
 */
import { extname } from "node:path";
import { nearest } from "@spoor/core/internal/text/nearest";
import { writeFileAtomically } from "../load/write-file.ts";
import { toAscii } from "../write/terminal/ascii.ts";
import type { TerminalStyle } from "../write/terminal/terminal-style.ts";
import type { CommonValues } from "./command.ts";
import { type Io, styleOf } from "./io.ts";
import { usageError } from "./option.ts";
import { shieldCommands } from "./shield-commands.ts";

/** One report, one format. Its writer may have to be loaded first. */
export type Renderer<R> = (report: R, style: TerminalStyle) => string | Promise<string>;
export type Renderers<R> = Readonly<Record<string, Renderer<R>>>;

const FORMAT_OF_EXTENSION: Readonly<Record<string, string>> = {
  ".json": "json",
  ".md": "markdown",
  ".html": "html",
  ".htm": "html",
  ".xml": "junit",
  ".sarif": "sarif",
  ".svg": "svg",
  ".txt": "terminal",
};

/** `stderr` where standard output belongs to somebody else: a program that the command runs. */
export async function emitReport<R>(
  report: R,
  renderers: Renderers<R>,
  args: CommonValues,
  io: Io,
  stream: "stdout" | "stderr" = "stdout",
): Promise<void> {
  const format = chooseFormat(args.format ?? "terminal", renderers, "--format");
  const files = args.output.map((file) => ({
    file,
    format: chooseFormat(formatOfFile(file), renderers, `-o ${file}`),
  }));
  const style = styleOf(io, { ascii: args.ascii || undefined, color: args.noColor ? false : undefined }, stream);
  const plain: TerminalStyle = { ...styleOf(io, { ascii: args.ascii || undefined, color: false }), columns: 80 };
  const printed = await rendered(report, renderers, format, style);
  // The other formats are for programs, which would stumble over the words.
  const text = format === "terminal" ? shieldCommands(printed, io) : printed;
  await io.onReport?.(report, (wanted) => rendered(report, renderers, wanted, plain));
  if (stream === "stdout") io.out(text);
  else io.err(text);
  for (const { file, format } of files)
    await writeFileAtomically(file, await rendered(report, renderers, format, plain));
}

/** Refuses formats that a kind of report does not have, before a command does what cannot be taken back. */
export function requireFormats(kind: { renderers(report: never, view: never): object }, args: CommonValues): void {
  const renderers = kind.renderers({} as never, {} as never) as Renderers<unknown>;
  chooseFormat(args.format ?? "terminal", renderers, "--format");
  for (const file of args.output) chooseFormat(formatOfFile(file), renderers, `-o ${file}`);
}

/** ASCII is a matter of terminals: files of other formats have an encoding of their own. */
async function rendered<R>(report: R, renderers: Renderers<R>, format: string, style: TerminalStyle): Promise<string> {
  const text = await renderers[format]!(report, style);
  return style.ascii && format === "terminal" ? toAscii(text) : text;
}

function formatOfFile(file: string): string {
  if (file.endsWith(".sarif.json")) return "sarif";
  if (file.endsWith(".ctrf.json")) return "ctrf";
  if (file.endsWith(".intoto.json") || file.endsWith(".intoto.jsonl")) return "intoto";
  const format = FORMAT_OF_EXTENSION[extname(file).toLowerCase()];
  if (format !== undefined) return format;
  throw usageError(
    `-o ${file}: the extension says no format.`,
    `Use one of ${Object.keys(FORMAT_OF_EXTENSION).join(", ")}.`,
  );
}

function chooseFormat<R>(name: string, renderers: Renderers<R>, where: string): string {
  if (Object.hasOwn(renderers, name)) return name;
  const known = Object.keys(renderers);
  const close = nearest(name, known);
  throw usageError(
    `${where}: this report has no format "${name}".`,
    `${close === undefined ? "" : `Did you mean ${close}? `}It has ${known.join(", ")}.`,
  );
}
