import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { SpoorError } from "@spoor/core/errors";
import { loadConfig } from "../../config/load-config.ts";
import { runGate } from "../../gate/run-gate.ts";
import { loadHtmlRenderer } from "../../load/load-html-renderer.ts";
import { writeFileAtomically } from "../../load/write-file.ts";
import { renderDemo } from "../../render/demo.ts";
import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { type Io, styleOf } from "../io.ts";
import { option } from "../option.ts";

const STORY = fileURLToPath(new URL("../../../dist/demo/", import.meta.url));
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
    await writeFileAtomically(html, (await loadHtmlRenderer())(report));
    if (!args.keep)
      for (const name of ["baseline", "candidate"]) rmSync(join(folder, name), { recursive: true, force: true });
    const style = styleOf(io, { ascii: args.ascii || undefined, color: args.noColor ? false : undefined });
    const shownPath = args.keep ? relative(io.cwd, html) : html;
    for (const [index, part] of renderDemo(report, shownPath, style).entries()) {
      if (index > 1 && args.pause) await waitForEnter(io);
      io.out(`${index === 0 ? "" : "\n"}${part}`);
    }
    return exitCode.ok;
  },
});

function keptFolder(io: Io): string {
  const folder = join(io.cwd, KEPT);
  if (!existsSync(folder)) return folder;
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
