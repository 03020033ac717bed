import { fileURLToPath } from "node:url";
import { examineEnvironment } from "../../doctor/examine-environment.ts";
import { examineProject } from "../../doctor/examine-project.ts";
import type { Finding } from "../../doctor/finding.ts";
import { findingOfError } from "../../doctor/finding-of-error.ts";
import { type Examined, notLookedAt, renderDoctor, store } from "../../doctor/render-doctor.ts";
import { count } from "../../document/words.ts";
import { packageFile } from "../../package-files.ts";
import { loadServer } from "../../serve/load-server.ts";
import { toolInfo } from "../../tool-info.ts";
import { writeJson } from "../../write/json.ts";
import { type CommonValues, defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { type Io, styleOf } from "../io.ts";
import { loadOptions } from "../load-options.ts";
import { option, usageError } from "../option.ts";

export const doctorCommand = defineCommand({
  description:
    "Looks at Node, the terminal and everything the configuration names: traces, policies, baselines, evaluators. All of it, " +
    "instead of stopping at the first problem. Exit code 2 when something prevents a gate, else 0. With --store it looks at the store of the " +
    "shared service instead: figures are worked out again from the runs and compared, and every recording is unpacked; exit code 1 when it is damaged or its figures do not add up, 2 when it could not be looked at: out of reach, in use, of another version.",
  positionals: [],
  options: {
    store: option.text("look at the store of spoor serve: its file, or postgres://…", "URL"),
    repair: option.flag("with --store: put figures right that the runs do not add up to"),
  },
  examples: [
    { run: "spoor doctor", does: "The environment and spoor.config.yaml." },
    { run: "spoor doctor --config ci/spoor.config.yaml --format json", does: "Another configuration, for scripts." },
    { run: "spoor doctor --store .spoor/server/spoor.db", does: "Whether the service's store is whole." },
  ],
  async run(args, io) {
    if (args.store !== undefined) return examineStoreOf(args.store, args, io);
    if (args.repair) throw usageError("--repair goes with --store.");
    const style = styleOf(io, { ascii: args.ascii || undefined, color: args.noColor ? false : undefined });
    const environment = examineEnvironment({
      cwd: io.cwd,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      isTerminal: io.stdoutIsTerminal,
      style,
      webFolder: fileURLToPath(packageFile("dist/web/")),
    });
    const project = await examineProject({
      cwd: io.cwd,
      env: io.env,
      config: args.config,
      load: loadOptions(args, io),
      canWriteHtml: !environment.some(({ code }) => code === "html.not-built"),
    });
    return emitFindings([...environment, ...project], args, io);
  },
});

async function examineStoreOf(
  url: string,
  args: CommonValues & { readonly repair: boolean },
  io: Io,
): Promise<ExitCode> {
  const { examineStore } = await loadServer();
  const findings = await findingOfError("store", async () => {
    const examined = await examineStore(url, { repair: args.repair });
    return [...repairedOf(examined.repaired), ...examined.findings.map((one) => ({ ...one, area: "store" as const }))];
  });
  const isProblem = findings.some(({ status }) => status === "problem");
  const unknown = notLookedAt(findings);
  // Damage is what was looked for; a store that is away says nothing of itself.
  const code = !isProblem
    ? exitCode.ok
    : unknown === undefined || unknown === "store.damaged"
      ? exitCode.gateTripped
      : exitCode.couldNotRun;
  return emitFindings(findings, args, io, { examined: store, code });
}

function repairedOf(
  repaired: { readonly rollups: number; readonly behaviours: number } | undefined,
): readonly Finding[] {
  if (repaired === undefined) return [];
  const what = `put right: ${count(repaired.rollups, "rollup")}, ${count(repaired.behaviours, "behaviour")}`;
  return [{ area: "store", status: "ok", what }];
}

async function emitFindings(
  findings: readonly Finding[],
  args: CommonValues,
  io: Io,
  { examined, code: decided }: { readonly examined?: Examined; readonly code?: ExitCode } = {},
): Promise<ExitCode> {
  const isProblem = findings.some(({ status }) => status === "problem");
  const code = decided ?? (isProblem ? exitCode.couldNotRun : exitCode.ok);
  const report = { schema: "spoor.doctor/1", tool: toolInfo, findings };
  await emitReport(
    report,
    { terminal: (one, shown) => renderDoctor(one.findings, code, shown, examined), json: writeJson },
    args,
    io,
  );
  return code;
}
