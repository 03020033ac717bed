import { printable } from "@spoor/core/internal/text/printable";
import { present } from "@spoor/core/internal/trace/present";
import {
  type VerifyCode,
  type VerifyFinding,
  verifyCodes,
  verifyWarnings,
} from "@spoor/core/internal/verify/verify-records";
import { count } from "../../document/words.ts";
import { findFiles } from "../../load/find-files.ts";
import { loadTraceFile } from "../../load/load-traces.ts";
import { type Repair, repairFile } from "../../load/repair-file.ts";
import { verifyBlindFile } from "../../load/verify-blind-file.ts";
import { verifyFile } from "../../load/verify-file.ts";
import type { RecoveredJournal } from "../../record/otlp/recover-journals.ts";
import { toolInfo } from "../../tool-info.ts";
import { writeJson } from "../../write/json.ts";
import { hang } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { exitCode } from "../exit-code.ts";
import { loadOptions } from "../load-options.ts";
import { option, usageError } from "../option.ts";

interface FileResult {
  readonly path: string;
  readonly format: string;
  readonly records: number;
  readonly findings: readonly VerifyFinding[];
  readonly counts: Readonly<Partial<Record<VerifyCode, number>>>;
  readonly skippedLines: number;
  readonly truncated: boolean;
  /** The last signature of a content-blind trace's hash chain. */
  readonly chain?: string | null;
  /** What was cut off its end before it was checked. */
  readonly repaired?: Repair;
  /** Why there was nothing to check. */
  readonly note?: string;
}

export const verifyCommand = defineCommand({
  description:
    "For agent logs: every id against its payload, parents, the first record, order of times. Ids prove that a payload " +
    "was not changed without its id; they are not signatures. Content-blind traces carry a hash chain, which is recomputed. Other formats carry neither: they are read whole and counted. " +
    "--repair first cuts off a last line in the middle of which a recorder was killed, keeps those bytes in .run beside the file, and writes traces that " +
    "a killed receiver of telemetry had acknowledged; what it cannot repair it leaves as it is.",
  positionals: ["traces..."],
  options: { repair: option.flag("cut off a torn last line, then check") },
  examples: [
    { run: "spoor verify run.agentlog", does: "Exit 0 when every id fits its payload, 1 when one does not." },
    { run: "spoor verify --repair .spoor/recordings/", does: "Mends what killed recorders left, then checks it." },
    { run: "spoor verify traces/ --format json", does: "Every finding with its line, for a script." },
  ],
  async run(args, io) {
    const files: FileResult[] = [];
    if (args.repair && args.traces.includes("-"))
      throw usageError("spoor verify --repair mends files; standard input is none.");
    const recovered = args.repair ? await recover(args.traces) : [];
    for (const file of args.traces.flatMap(findFiles)) {
      const repaired = args.repair ? await repairFile(file) : undefined;
      const verified = await verifyFile(file, { lenient: args.lenient });
      const result =
        verified === undefined ? ((await chainResult(file)) ?? (await readOnly(file))) : resultOf(file, verified);
      files.push({ ...result, ...present({ repaired }) });
    }
    const tripped = files.some((file) => failuresIn(file) > 0);
    const report = {
      schema: "spoor.verify/1",
      tool: toolInfo,
      inputs: files.map(({ path, format }) => ({ role: "trace", path, format })),
      files,
      recovered,
      gate: { failOn: "any sign of tampering", tripped, reasons: files.flatMap(reasonsOf) },
    };
    await emitReport(
      report,
      {
        terminal: (_, style) =>
          [...recovered.map((one) => recoveredLine(one, style)), renderTerminal(files, style)].join(""),
        json: writeJson,
      },
      args,
      io,
    );
    return tripped ? exitCode.gateTripped : exitCode.ok;

    async function readOnly(path: string): Promise<FileResult> {
      const traces = await loadTraceFile(path, loadOptions(args, io));
      return {
        path,
        format: traces[0]?.source.format ?? "unknown",
        records: traces.reduce((sum, trace) => sum + trace.records.length, 0),
        findings: [],
        counts: {},
        skippedLines: traces[0]?.source.skippedLines ?? 0,
        truncated: traces.some((trace) => trace.source.truncated),
        note: `this format carries no ids; ${count(traces.length, "trace")} could be read`,
      };
    }
  },
});

/** Imported late: few verify what a receiver of telemetry left behind. */
async function recover(paths: readonly string[]): Promise<readonly RecoveredJournal[]> {
  const { recoverJournals } = await import("../../record/otlp/recover-journals.ts");
  return recoverJournals(paths);
}

function resultOf(path: string, verified: NonNullable<Awaited<ReturnType<typeof verifyFile>>>): FileResult {
  return {
    path,
    format: "agentlog",
    records: verified.verifier.records(),
    findings: verified.verifier.findings(),
    counts: verified.verifier.counts(),
    skippedLines: verified.skippedLines,
    truncated: verified.truncated,
  };
}

/** Content-blind traces carry a hash chain instead of ids. */
async function chainResult(path: string): Promise<FileResult | undefined> {
  const verified = await verifyBlindFile(path);
  if (verified === undefined) return undefined;
  const { report, steps, brokenLine } = verified;
  return {
    path,
    format: "interactions",
    records: steps,
    findings:
      report.broken === undefined
        ? []
        : [{ code: "chain_broken", line: brokenLine ?? 1, detail: report.broken.message }],
    counts: report.broken === undefined ? {} : { chain_broken: 1 },
    skippedLines: 0,
    truncated: false,
    chain: report.chainHash,
  };
}

/** Findings that fail; a clock that runs backwards or a kind nobody knows is only reported. */
function failuresIn(file: FileResult): number {
  return Object.entries(file.counts).reduce(
    (sum, [code, amount]) => sum + (verifyWarnings.has(code as VerifyCode) ? 0 : (amount ?? 0)),
    0,
  );
}

function reasonsOf(file: FileResult): { code: string; subject: string; count: number }[] {
  const failing = Object.entries(file.counts).filter(([code]) => !verifyWarnings.has(code as VerifyCode));
  return failing.map(([code, amount]) => ({ code, subject: file.path, count: amount }));
}

function renderTerminal(files: readonly FileResult[], style: TerminalStyle): string {
  return `${files.flatMap((file) => renderFile(file, style)).join("\n")}\n`;
}

function recoveredLine({ folder, spans, traces }: RecoveredJournal, { symbols, columns }: TerminalStyle): string {
  const written = `${count(spans, "span")} of a receiver that was ended are written: ${count(traces.length, "trace")}`;
  return `${hang(`${symbols.warning} `, `${printable(folder)}: ${written}`, columns)}\n`;
}

function repairLine({ bytes, kept }: Repair, style: TerminalStyle): string {
  const words = `${count(bytes, "byte")} of a line that was never finished are cut off and kept in ${printable(kept)}`;
  return hang("  ", words, style.columns);
}

function renderFile(file: FileResult, style: TerminalStyle): string[] {
  const lines = renderVerified(file, style);
  return file.repaired === undefined ? lines : [...lines, repairLine(file.repaired, style)];
}

function renderVerified(file: FileResult, style: TerminalStyle): string[] {
  const { symbols, paint } = style;
  const records = count(file.records, "record");
  const extra = [
    file.skippedLines > 0 ? `${count(file.skippedLines, "line")} skipped` : "",
    file.truncated ? "the file ends early" : "",
  ].filter((part) => part !== "");
  const suffix = extra.length > 0 ? ` (${extra.join(", ")})` : "";
  const path = printable(file.path);
  if (file.note !== undefined) return [hang(`${symbols.unknown} `, `${path}: ${file.note}${suffix}`, style.columns)];
  const total = Object.values(file.counts).reduce((sum: number, amount) => sum + (amount ?? 0), 0);
  if (total === 0) {
    return [
      hang(
        `${paint.good(symbols.passed)} `,
        `${path}: ${file.chain === undefined ? `${records}, every id fits its payload` : `${count(file.records, "step")}, the hash chain is whole`}${suffix}`,
        style.columns,
      ),
    ];
  }
  const failures = failuresIn(file);
  const mark = failures > 0 ? paint.bad(symbols.failed) : paint.warn(symbols.warning);
  const found =
    failures > 0 ? count(total, "problem") : `every id fits its payload, ${count(total, "oddity", "oddities")}`;
  const lines = [hang(`${mark} `, `${path}: ${found} in ${records}${suffix}`, style.columns)];
  for (const finding of file.findings.slice(0, 20)) {
    lines.push(
      hang(`  line ${finding.line}  `, `${verifyCodes[finding.code]} (${printable(finding.detail)})`, style.columns),
    );
  }
  if (total > 20) lines.push(`  ${symbols.ellipsis} ${count(total - 20, "more problem")}: --format json`);
  return lines;
}
