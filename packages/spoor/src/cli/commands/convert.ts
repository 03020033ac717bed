import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Trace } from "@spoor/core";
import { distinctNames } from "@spoor/core/internal/text/distinct-names";
import { count } from "../../document/words.ts";
import { type Writer, writers } from "../../formats/writers.ts";
import { loadTraces } from "../../load/load-traces.ts";
import { writeFileAtomically } from "../../load/write-file.ts";
import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { loadOptions } from "../load-options.ts";
import { option, usageError } from "../option.ts";

export const convertCommand = defineCommand({
  description:
    "Reads any known format and writes agent logs, OTLP JSON or AgentV JSONL. The output's name says the format; a folder " +
    "gets one file per trace. --redact replaces keys, tokens, e-mail addresses and the like before anything is written.",
  positionals: ["traces..."],
  options: {
    to: option.text("format to write (default: by the extension of -o, else agentlog)", "FORMAT"),
    redact: option.flag("replace secrets and personal data with [REDACTED:name]"),
    redactPattern: option.texts("a further pattern to redact, as NAME=REGEX (linear-time syntax)", "NAME=REGEX"),
    contentBlind: option.flag("keep names, counts, times and hashes; drop every text, argument and result"),
  },
  examples: [
    { run: "spoor convert session.jsonl -o session.agentlog", does: "A Claude Code session as an agent log." },
    { run: "spoor convert results.json -o traces/ --redact", does: "One agent log per trace, without secrets." },
    { run: "spoor convert run.agentlog --to otlp", does: "OTLP JSON on standard output." },
  ],
  async run(args, io) {
    if (args.output.length > 1) throw usageError("spoor convert writes one output; -o was given several times.");
    const target = args.output[0];
    const writer = chooseWriter(args.contentBlind ? "content-blind" : args.to, target);
    const transform = await createTransform(args);
    const loaded = await loadTraces(args.traces, loadOptions(args, io));
    const traces = loaded.map(transform);
    if (target === undefined) {
      requireOneFile(writer, traces, "standard output");
      for (const piece of writer.write(traces)) io.out(piece);
    } else if (isFolder(target)) {
      for (const { file, trace } of nameFiles(traces, target, writer))
        await writeFileAtomically(file, writer.write([trace]));
    } else {
      requireOneFile(writer, traces, target);
      await writeFileAtomically(target, writer.write(traces));
    }
    if (!args.quiet && target !== undefined) io.err(`${count(traces.length, "trace")} written to ${target}\n`);
    return exitCode.ok;
  },
});

function chooseWriter(name: string | undefined, target: string | undefined): Writer {
  const known = `Spoor writes ${writers.map((writer) => writer.name).join(", ")}.`;
  if (name !== undefined) {
    const found = writers.find((writer) => writer.name === name);
    if (found === undefined) throw usageError(`--to ${name}: Spoor does not write that format.`, known);
    return found;
  }
  if (target === undefined || isFolder(target)) return writers[0]!;
  const found = writers.find((writer) => writer.extensions.some((extension) => target.endsWith(extension)));
  if (found === undefined)
    throw usageError(`-o ${target}: the extension says no format.`, `Name it with --to. ${known}`);
  return found;
}

function isFolder(path: string): boolean {
  return path.endsWith("/") || path.endsWith("\\") || (existsSync(path) && statSync(path).isDirectory());
}

function requireOneFile(writer: Writer, traces: readonly Trace[], target: string): void {
  if (traces.length === 1 || writer.several) return;
  throw usageError(
    `There are ${traces.length} traces, and a file of format ${writer.name} holds one.`,
    target === "standard output"
      ? "Name a folder: -o traces/"
      : "Name a folder (ending in /) to get one file per trace.",
  );
}

/** `task 12 trial 3` → `task-12-trial-3.agentlog`; equal names get a number. */
function nameFiles(traces: readonly Trace[], folder: string, writer: Writer): { file: string; trace: Trace }[] {
  const stems = distinctNames(traces.map(fileStem));
  return traces.map((trace, index) => ({ file: join(folder, `${stems[index]}${writer.extensions[0]}`), trace }));
}

function fileStem(trace: Trace): string {
  const path = trace.source.path ?? "trace";
  const fileName = path
    .split(/[\\/]/)
    .at(-1)!
    .replace(/\.gz$/, "")
    .replace(/\.[^.]+$/, "");
  const name = trace.source.entry === undefined ? fileName : `${fileName}-${trace.source.entry}`;
  return (
    name
      .replace(/[^A-Za-z0-9._-]+/g, "-")
      .replace(/^[-.]+|-+$/g, "")
      .slice(0, 120) || "trace"
  );
}

async function createTransform(args: {
  readonly redact: boolean;
  readonly redactPattern: readonly string[];
}): Promise<(trace: Trace) => Trace> {
  if (!args.redact && args.redactPattern.length === 0) return (trace) => trace;
  const { createTraceRedaction } = await import("../../load/trace-redaction.ts");
  return createTraceRedaction(args.redactPattern);
}
