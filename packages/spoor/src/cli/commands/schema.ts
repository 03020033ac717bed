import { isReport, loadSchema, loadSchemas, type SchemaFile } from "../../load/load-schemas.ts";
import { writeFileAtomically } from "../../load/write-file.ts";
import { toolInfo } from "../../tool-info.ts";
import { writeJson } from "../../write/json.ts";
import { hang, padEnd } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { exitCode } from "../exit-code.ts";

export const schemaCommand = defineCommand({
  description:
    "Editors complete and check with these: the configuration, a policy, a baseline file, and every report that --format json " +
    "prints. Without a name it lists them.",
  positionals: ["[name]"],
  options: {},
  examples: [
    { run: "spoor schema", does: "What there is." },
    { run: "spoor schema config", does: "Every key of spoor.config.yaml." },
    { run: "spoor schema spoor.gate/1 -o gate.schema.json", does: "The shape of the gate's JSON report, as a file." },
  ],
  async run(args, io) {
    if (args.name === undefined) {
      const schemas = loadSchemas();
      const report = {
        schema: "spoor.schemas/1",
        tool: toolInfo,
        schemas: schemas.map(({ name, title, description }) => ({ name, title, description })),
      };
      await emitReport(report, { terminal: (_, style) => renderList(schemas, style), json: writeJson }, args, io);
      return exitCode.ok;
    }
    const { text } = loadSchema(args.name);
    if (args.output.length === 0) io.out(text);
    for (const file of args.output) await writeFileAtomically(file, text);
    return exitCode.ok;
  },
});

function renderList(schemas: readonly SchemaFile[], style: TerminalStyle): string {
  const width = Math.max(...schemas.map(({ name }) => name.length)) + 2;
  const row = ({ name, description }: SchemaFile) => hang(`  ${padEnd(name, width)}`, description, style.columns);
  return [
    "Files you write",
    ...schemas.filter((schema) => !isReport(schema)).map(row),
    "",
    "Reports, as --format json prints them",
    ...schemas.filter(isReport).map(row),
    "",
    "Next: spoor schema config",
    "",
  ].join("\n");
}
