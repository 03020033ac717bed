import { once } from "node:events";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { listOf } from "@spoor/core/internal/text/words";
import { rulesOfHook } from "../../hook/hook-rules.ts";
import { stateFolder } from "../../hook/state-folder.ts";
import { loadPolicySources } from "../../load/load-policy.ts";
import { createDoor, type Door } from "../../proxy/door.ts";
import { createHttpProxy } from "../../proxy/http-proxy.ts";
import { proxyStdio } from "../../proxy/stdio-proxy.ts";
import { defineCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { option, usageError } from "../option.ts";

export const guardCommand = defineCommand({
  description:
    "Stands between an MCP client and a server, neither of which needs to know: every tool call is judged before the " +
    "server sees it, tools that are never allowed are not offered, and descriptions that changed since last time are " +
    "reported on standard error. A refusal is the tool's result, which the model can read. What cannot be judged is refused.",
  positionals: ["[command...]"],
  options: {
    policy: option.path("the policy file, or a pack"),
    server: option.text("the server's name in rules: github of mcp:github/create_issue (default: its own)", "NAME"),
    skip: option.texts("leave this rule to spoor check; may be given several times", "RULE"),
    log: option.path("append every decision to this file, which spoor show and spoor check read"),
    record: option.path("write each session as an .agentlog into this folder", "FOLDER"),
    to: option.text("the server's address, where it speaks streamable HTTP", "URL"),
    listen: option.integer(0, "the port on this machine for --to (default: a free one, which is printed)", {
      min: 0,
      max: 65_535,
    }),
  },
  examples: [
    {
      run: "spoor guard --policy policy.yaml -- npx my-mcp-server",
      does: "The command to put into the client's list of servers, in place of the server's own.",
    },
    {
      run: "spoor guard --policy policy.yaml --to http://127.0.0.1:3000/mcp --listen 8931",
      does: "The same before a server that speaks HTTP; clients then use http://127.0.0.1:8931/mcp.",
    },
  ],
  async run(args, io) {
    const { policy: policyName, command, to } = args;
    if (policyName === undefined) throw usageError("spoor guard needs --policy FILE.");
    if ((to === undefined) === (command.length === 0))
      throw usageError("spoor guard needs the server: its command behind --, or --to URL.");
    const say = (line: string) => io.err(`spoor guard: ${line}\n`);
    const loaded = loadPolicySources(policyName, { cwd: io.cwd });
    const { judged, left } = rulesOfHook(loaded.policy, args.skip, "proxy");
    if (left.length > 0)
      say(`not judged here: ${listOf(left.map(({ id }) => id))}. Check recorded sessions with spoor check.`);
    const inFolder = (path: string | undefined) => (path === undefined ? undefined : resolve(io.cwd, path));
    const door = createDoor({
      loaded: { ...loaded, policy: { ...loaded.policy, rules: judged } },
      policyName,
      server: args.server,
      target: to ?? command.join(" "),
      log: inFolder(args.log),
      record: inFolder(args.record),
      stateFolder: stateFolder({ env: io.env, platform: process.platform, home: homedir() }),
      // Over HTTP a question would have to travel in the answer to another request.
      canAsk: to === undefined,
      now: () => io.now(),
      say,
    });
    if (to !== undefined) return serveHttp(door, urlOf(to), args.listen, io, say);
    const [program, ...rest] = command;
    const code = await proxyStdio(door, {
      command: [program!, ...rest],
      cwd: io.cwd,
      env: io.env,
      input: io.stdin,
      write: (text) => io.out(text),
      say,
    });
    // The client knows the server by its exit code: that of the guard is the same question.
    return code === 0 ? exitCode.ok : exitCode.couldNotRun;
  },
});

async function serveHttp(
  door: Door,
  target: URL,
  port: number,
  io: Io,
  say: (line: string) => void,
): Promise<ExitCode> {
  const server = createHttpProxy(door, { target, say });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  io.out(
    `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : port}${target.pathname}\n`,
  );
  await new Promise<void>((done) => {
    process.once("SIGINT", () => done());
    process.once("SIGTERM", () => done());
  });
  server.closeAllConnections();
  server.close();
  await door.close();
  return exitCode.ok;
}

function urlOf(text: string): URL {
  try {
    const url = new URL(text);
    if (url.protocol === "http:" || url.protocol === "https:") return url;
  } catch {
    // Said below.
  }
  throw usageError(`--to needs an address that begins with http:// or https://, found ${JSON.stringify(text)}.`);
}
