import { type Format, formatFields } from "../../formats/format.ts";
import { formatFamilies } from "../../formats/format-families.ts";
import { formats } from "../../formats/formats.ts";
import { writers } from "../../formats/writers.ts";
import { toolInfo } from "../../tool-info.ts";
import { writeJson } from "../../write/json.ts";
import { hang, padEnd } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { exitCode } from "../exit-code.ts";

export const formatsCommand = defineCommand({
  positionals: [],
  options: {},
  examples: [{ run: "spoor formats", does: "Every format, with the name that --from and --to take." }],
  async run(args, io) {
    const report = {
      schema: "spoor.formats/1",
      tool: toolInfo,
      reads: listed().map(({ family, format: { name, title, origin, tells }, files, from }) => ({
        name,
        title,
        family,
        origin,
        tells,
        tried: { files, from },
      })),
      writes: writers.map(({ name, title, extensions }) => ({ name, title, extensions })),
    };
    await emitReport(report, { terminal: (_, style) => renderTerminal(style), json: writeJson }, args, io);
    return exitCode.ok;
  },
});

function renderTerminal(style: TerminalStyle): string {
  const width = Math.max(...formats.map((format) => format.name.length)) + 2;
  const lines = ["Reads, recognised by content; gzip is accepted everywhere"];
  let shown: string | undefined;
  for (const { family, format } of listed()) {
    if (family !== shown) lines.push("", family, "");
    shown = family;
    lines.push(hang(`  ${padEnd(format.name, width)}`, `${format.title}: ${format.origin}`, style.columns));
    lines.push(hang(`  ${padEnd("", width)}`, fieldWords(format), style.columns));
  }
  lines.push("", "Writes (spoor convert IN -o OUT)", "");
  for (const writer of writers)
    lines.push(
      hang(`  ${padEnd(writer.name, width)}`, `${writer.title} (${writer.extensions.join(", ")})`, style.columns),
    );
  return `${lines.join("\n")}\n`;
}

interface Listed {
  readonly family: string;
  readonly format: Format;
  readonly files: number;
  readonly from: string;
}

/** The formats by family, which is how people look for theirs. */
function listed(): Listed[] {
  const byName = new Map(formats.map((format) => [format.name, format]));
  return formatFamilies.flatMap(({ title, formats: members }) =>
    members.map(({ name, files, from }) => ({ family: title, format: byName.get(name)!, files, from })),
  );
}

/** "results, errors, times; no tokens, sub-agents, requests": what a file can tell, and what it cannot. */
function fieldWords({ tells }: Format): string {
  const lacking = formatFields.filter((field) => !tells.includes(field));
  const has = formatFields.filter((field) => tells.includes(field)).join(", ");
  return lacking.length === 0 ? has : `${has}; no ${lacking.join(", ")}`;
}
