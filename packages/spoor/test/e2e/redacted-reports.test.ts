/** Keys, tokens and passwords of a trace stand in no report. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { labelledSecrets } from "../../../../bench/src/labelled-secrets.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const tokens = new Map(labelledSecrets(1).map(({ vendor, value }) => [vendor, value]));
const token = (vendor: string) => tokens.get(vendor)!;

describe("no format of a report tells a secret of the traces", () => {
  const secrets = {
    argument: token("GitHub, classic"),
    named: "correct-Horse7",
    result: token("Slack, bot"),
    reply: token("Stripe, live"),
    user: token("GitLab"),
    system: token("npm"),
    tool: token("Linear"),
  };
  const trace = (name: string, more: boolean) => [
    { role: "system", content: `Use ${secrets.system}.` },
    { role: "user", content: `Log in with ${secrets.user}` },
    {
      role: "assistant",
      content: `I use ${more ? secrets.reply : "nothing"}`,
      tool_calls: [
        {
          id: "1",
          type: "function",
          function: {
            name,
            arguments: JSON.stringify({ key: more ? secrets.argument : "none", password: more ? secrets.named : "" }),
          },
        },
      ],
    },
    { role: "tool", tool_call_id: "1", content: `{"cookie": "${secrets.result}"}` },
    { role: "assistant", content: "done" },
  ];
  const project = (): string => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a.json"), JSON.stringify(trace("login", false)));
    writeFileSync(join(folder, "b.json"), JSON.stringify(trace(`login ${secrets.tool}`, true)));
    writeFileSync(join(folder, "p.yaml"), 'rules:\n  - { id: no-login, kind: no_call, params: { tool: "login*" } }\n');
    writeFileSync(
      join(folder, "spoor.config.yaml"),
      "traces: b.json\ndiff: { baseline: a.json }\npolicy: { files: [p.yaml] }\n",
    );
    return folder;
  };

  const formats = ["terminal", "json", "markdown", "html", "junit", "sarif", "ctrf", "github"];
  it.each(formats)("gate as %s", async (format) => {
    const { code, stdout: out, stderr } = await runSpoor(["gate", "--format", format], { cwd: project() });
    expect([code, stderr]).toEqual([1, ""]);
    for (const [where, secret] of Object.entries(secrets))
      expect([where, out.includes(secret)]).toEqual([where, false]);
    expect(out.length).toBeGreaterThan(100);
  });

  it.each([
    ["diff", "a.json", "b.json", "--verbose"],
    ["check", "b.json", "--policy", "p.yaml", "--verbose"],
  ])("%s in full", async (...words) => {
    const { code, stdout: out, stderr } = await runSpoor(words, { cwd: project() });
    expect([code, stderr]).toEqual([words[0] === "diff" ? 0 : 1, ""]);
    for (const [where, secret] of Object.entries(secrets))
      expect([where, out.includes(secret)]).toEqual([where, false]);
  });
});
