/**
 * The coding agents that run for real against a scripted model: how a target finds the program, the model and a server of tools.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type InstalledAgent, installClaude, installCodex, installCopilot } from "./agent-cache.ts";

export const TOOL_SERVER: string = fileURLToPath(new URL("../agents/tool-server.mjs", import.meta.url));

export interface Agent {
  readonly name: string;
  readonly installed: InstalledAgent;
  /** What it calls its shell. */
  readonly tool: string;
  /** Targets file, and whatever else the agent needs to find the scripted model and an MCP server. */
  readonly target: (folder: string, url: string, server?: ToolServer) => object;
}

export type ToolServer =
  | {
      readonly name: string;
      /** A script of Node's, and its arguments. */
      readonly args: readonly string[];
    }
  | {
      readonly name: string;
      /** Where it answers over HTTP. */
      readonly url: string;
      /** Told to the agent in a variable, to which its settings refer. */
      readonly token: string;
    };

const TOKEN = "TOKEN_OF_THE_SERVER";
const tokenOf = (server: ToolServer | undefined) =>
  server !== undefined && "token" in server ? { [TOKEN]: server.token } : {};

/** A server with these tools, each of which says that it was called. */
export function seedTools(tools: readonly string[]): ToolServer {
  return { name: "seedtools", args: [TOOL_SERVER, ...tools] };
}

const codex = installCodex();
const claude = installClaude();
const copilot = installCopilot();

export const agents: readonly Agent[] = [
  {
    name: "codex",
    installed: codex,
    tool: "command_execution",
    target(folder, url, server) {
      const home = join(folder, "codex-home");
      mkdirSync(home);
      const settings = server === undefined ? "" : codexServer(server);
      writeFileSync(
        join(home, "config.toml"),
        `model = "scripted"\nmodel_provider = "scripted"\n[model_providers.scripted]\nname = "scripted"\nbase_url = "${url}/v1"\nwire_api = "responses"\n${settings}`,
      );
      return {
        provider: "codex",
        executable: codex.program,
        dangerously_bypass_approvals_and_sandbox: true,
        // Codex runs commands in a login shell: what a profile of this machine does in one is no part of the test.
        env: { CODEX_HOME: home, HOME: home, ...tokenOf(server) },
      };
    },
  },
  {
    name: "claude",
    installed: claude,
    tool: "Bash",
    target(folder, url, server) {
      const home = join(folder, "claude-home");
      mkdirSync(home);
      const env = {
        HOME: home,
        CLAUDE_CONFIG_DIR: join(home, ".claude"),
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: "sk-scripted-key",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        IS_SANDBOX: "1",
        // The tools of servers are offered at once instead of looked up.
        ENABLE_TOOL_SEARCH: "false",
        // A person asks later than a script: the first question waits for the servers.
        MCP_CONNECTION_NONBLOCKING: "0",
        MCP_CONNECT_TIMEOUT_MS: "60000",
        ...tokenOf(server),
      };
      const args = server === undefined ? [] : ["--mcp-config", serverFile(home, server)];
      return { provider: "claude", executable: claude.program, dangerously_skip_permissions: true, args, env };
    },
  },
  {
    name: "copilot",
    installed: copilot,
    tool: "bash",
    target(folder, url, server) {
      const home = join(folder, "copilot-home");
      mkdirSync(home);
      const env = {
        HOME: home,
        COPILOT_HOME: join(home, ".copilot"),
        COPILOT_OFFLINE: "true",
        COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
        COPILOT_PROVIDER_API_KEY: "sk-scripted-key",
        COPILOT_MODEL: "scripted",
      };
      const args = server === undefined ? [] : ["--additional-mcp-config", `@${serverFile(home, server)}`];
      return { provider: "copilot", executable: copilot.program, allow_all_tools: true, args, env };
    },
  },
];

function codexServer(server: ToolServer): string {
  const settings =
    "url" in server
      ? `url = "${server.url}"\nbearer_token_env_var = "${TOKEN}"`
      : `command = "${process.execPath}"\nargs = ${JSON.stringify(server.args)}`;
  return `[mcp_servers.${server.name}]\n${settings}\n`;
}

function serverFile(home: string, server: ToolServer): string {
  const file = join(home, "mcp.json");
  const settings =
    "url" in server
      ? { type: "http", url: server.url, headers: { Authorization: `Bearer \${${TOKEN}}` } }
      : { type: "stdio", command: process.execPath, args: server.args, tools: ["*"] };
  writeFileSync(file, JSON.stringify({ mcpServers: { [server.name]: settings } }));
  return file;
}
