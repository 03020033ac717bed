import { fileURLToPath } from "node:url";
import { examineEnvironment } from "../../doctor/examine-environment.ts";
import { examineProject } from "../../doctor/examine-project.ts";
import { renderDoctor } from "../../doctor/render-doctor.ts";
import { packageFile } from "../../package-files.ts";
import { toolInfo } from "../../tool-info.ts";
import { writeJson } from "../../write/json.ts";
import { defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { exitCode } from "../exit-code.ts";
import { styleOf } from "../io.ts";
import { loadOptions } from "../load-options.ts";

export const doctorCommand = defineCommand({
  description:
    "Looks at Node, the terminal and everything the configuration names: traces, policies, baselines, evaluators. All of it, " +
    "instead of stopping at the first problem. Exit code 2 when something prevents a gate, else 0.",
  positionals: [],
  options: {},
  examples: [
    { run: "spoor doctor", does: "The environment and spoor.config.yaml." },
    { run: "spoor doctor --config ci/spoor.config.yaml --format json", does: "Another configuration, for scripts." },
  ],
  async run(args, io) {
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
    const findings = [...environment, ...project];
    const code = findings.some(({ status }) => status === "problem") ? exitCode.couldNotRun : exitCode.ok;
    const report = { schema: "spoor.doctor/1", tool: toolInfo, findings };
    await emitReport(
      report,
      { terminal: (one, shown) => renderDoctor(one.findings, code, shown), json: writeJson },
      args,
      io,
    );
    return code;
  },
});
