import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { SpoorError } from "@spoor/core/internal/errors";
import type { GateReport } from "@spoor/core/internal/gate/gate-report";
import { printable } from "@spoor/core/internal/text/printable";
import { sweepTemporaries } from "@spoor/record/internal/node/temporary-file";
import { loadConfig } from "../../config/load-config.ts";
import { describeDemo } from "../../describe/demo.ts";
import { describeGate } from "../../describe/gate/describe-gate.ts";
import { runGate } from "../../gate/run-gate.ts";
import { loadHtmlAssets } from "../../load/load-html-assets.ts";
import { writeFileAtomically } from "../../load/write-file.ts";
import { packageFile } from "../../package-files.ts";
import { writeHtml } from "../../write/html/write-html.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { type Io, styleOf } from "../io.ts";
import { option } from "../option.ts";

const STORY = fileURLToPath(packageFile("dist/demo/"));
const KEPT = "spoor-demo";

export const demoCommand = defineCommand({
  description:
    "A one-line prompt change makes a support agent refund without confirming. Shows diff, policy, baseline and the blocked " +
    "gate, computed on the spot, and writes the HTML report.",
  positionals: [],
  options: {
    keep: option.flag("leave the files in spoor-demo/, where every command shown can be repeated"),
    pause: option.flag("wait for Enter between the steps"),
  },
  examples: [
    { run: "spoor demo", does: "The story, and the path of its report." },
    { run: "spoor demo --keep && cd spoor-demo && spoor diff baseline candidate", does: "Then look around yourself." },
  ],
  async run(args, io) {
    const folder = args.keep ? keptFolder(io) : mkdtempSync(join(tmpdir(), "spoor-demo-"));
    cpSync(STORY, folder, { recursive: true });
    const report = await inFolder(folder, async () =>
      runGate(await loadConfig(undefined, folder), { cwd: folder, env: {}, now: io.now(), load: {} }),
    );
    const html = join(folder, "report.html");
    const page = describeGate(report, { exitCode: exitCode.gateTripped, verbose: false });
    await writeFileAtomically(html, writeHtml(page, loadHtmlAssets()));
    if (!args.keep)
      for (const name of ["baseline", "candidate"]) rmSync(join(folder, name), { recursive: true, force: true });
    const style = styleOf(io, { ascii: args.ascii || undefined, color: args.noColor ? false : undefined });
    const shownPath = args.keep ? relative(io.cwd, html) : html;
    for (const [index, part] of storyParts(report, shownPath, style).entries()) {
      if (index > 1 && args.pause) await waitForEnter(io);
      io.out(`${index === 0 ? "" : "\n"}${part}`);
    }
    return exitCode.ok;
  },
});

/** What was changed, then each command with what it says, three columns in. */
function storyParts(report: GateReport, htmlPath: string, style: TerminalStyle): string[] {
  const added = report.reports.diff!.goingIn.system.added.map((line) => style.paint.good(`  + ${printable(line)}`));
  const opening = [
    "A support agent answers five tickets. Someone adds one line to its prompt:",
    "",
    "    For refunds: look up the order, confirm the amount, then issue it.",
    ...added,
    "",
  ];
  const steps = describeDemo(report, htmlPath).map(({ command, says }, index) => {
    const lines = writeTerminal(says, { ...style, columns: style.columns - 3 })
      .trimEnd()
      .split("\n");
    return [`${index + 1}  ${style.paint.bold(`$ ${command}`)}`, ...lines.map((line) => `   ${line}`), ""];
  });
  return [opening, ...steps].map((lines) => lines.join("\n"));
}

function keptFolder(io: Io): string {
  const folder = join(io.cwd, KEPT);
  if (!existsSync(folder)) return folder;
  sweepTemporaries(folder);
  throw new SpoorError("demo.exists", `${KEPT}/ already exists, and nothing in it is overwritten.`, {
    at: { file: KEPT },
    hint: `Remove it, or look around in it: cd ${KEPT} && spoor gate`,
  });
}

/** Paths in the story are those a reader would type inside its folder. */
async function inFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await work();
  } finally {
    process.chdir(before);
  }
}

async function waitForEnter(io: Io): Promise<void> {
  if (!io.interactive) return;
  const reader = createInterface({ input: io.stdin, output: process.stderr });
  await reader.question("");
  reader.close();
}
