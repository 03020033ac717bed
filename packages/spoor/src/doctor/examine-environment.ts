/** Node, platform, terminal and the parts of Spoor itself. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../tool-info.ts";
import type { TerminalStyle } from "../write/terminal/terminal-style.ts";
import type { Finding } from "./finding.ts";

const OLDEST_NODE = [20, 19] as const;

export interface Environment {
  readonly cwd: string;
  readonly node: string;
  readonly platform: string;
  readonly isTerminal: boolean;
  readonly style: TerminalStyle;
  /** Where the HTML report's script and style were built to. */
  readonly webFolder: string;
}

export function examineEnvironment(environment: Environment): Finding[] {
  return [nodeFinding(environment), ownFinding(environment), terminalFinding(environment), htmlFinding(environment)];
}

function nodeFinding({ node, platform }: Environment): Finding {
  const [major = 0, minor = 0] = node.split(".").map(Number);
  const tooOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  const what = `Node ${node} on ${platform}`;
  if (!tooOld) return { area: "environment", status: "ok", what };
  return {
    area: "environment",
    status: "problem",
    what: `${what}; Spoor needs ${OLDEST_NODE.join(".")} or newer.`,
    fix: "Install a current Node, for example with nvm install --lts.",
  };
}

/** `npx spoor` runs the project's copy; a global one of another version gives other results. */
function ownFinding({ cwd }: Environment): Finding {
  const installed = installedVersion(cwd);
  if (installed === undefined || installed === version) {
    return {
      area: "environment",
      status: "ok",
      what: `Spoor ${version}${installed === undefined ? "" : ", as installed in this project"}`,
    };
  }
  return {
    area: "environment",
    status: "warning",
    what: `This is Spoor ${version}; the project has ${installed} installed.`,
    fix: "Run the project's own: npx spoor doctor",
  };
}

function installedVersion(cwd: string): string | undefined {
  try {
    const manifest = JSON.parse(readFileSync(join(cwd, "node_modules/spoor/package.json"), "utf8")) as {
      version?: unknown;
    };
    return typeof manifest.version === "string" ? manifest.version : undefined;
  } catch {
    return undefined;
  }
}

function terminalFinding({ isTerminal, style }: Environment): Finding {
  const symbols = style.ascii ? "ASCII symbols" : "UTF-8 symbols";
  const what = isTerminal
    ? `Terminal: ${style.columns} columns, ${symbols}, ${style.color ? "colour" : "no colour"}`
    : `Not a terminal: ${style.columns} columns, ${symbols}, ${style.color ? "colour" : "no colour"}`;
  return { area: "environment", status: "ok", what };
}

function htmlFinding({ webFolder }: Environment): Finding {
  const missing = ["report.js", "report.css"].filter((name) => !existsSync(join(webFolder, name)));
  if (missing.length === 0) return { area: "environment", status: "ok", what: "HTML reports can be written" };
  return {
    area: "environment",
    status: "warning",
    what: "HTML reports cannot be written: their script and style are not built.",
    code: "html.not-built",
    fix: "Install Spoor anew; in a clone of its repository: npm ci",
  };
}
