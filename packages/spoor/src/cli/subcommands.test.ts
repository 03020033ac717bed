import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { type CommandEntry, loadCommand } from "./command.ts";
import { commands } from "./commands.ts";
import { runInMemory } from "./run-in-memory.ts";

const spoor = (...words: string[]) => runInMemory(words);

describe("subcommands", () => {
  it("have help of their own, with only their own options", async () => {
    const { code, out } = await spoor("baseline", "rollback", "--help");
    expect(code).toBe(0);
    expect(out.slice(0, out.indexOf("Common options"))).toMatchInlineSnapshot(`
      "Put an earlier generation of a baseline back.

      Usage: spoor baseline rollback [NAME] [options]

      Examples
        $ spoor baseline rollback support_agent --why "wrong runs"
            Put the previous generation back.

      Options
        --baseline PATH           folder of baselines, or one baseline file (default
                                  baselines)
        --agent NAME              only this agent; runs that name none count as its
                                  own
        --to N                    the generation to go back to (default: the last
                                  kept)
        --by NAME                 who decides (default: the git user)
        --why TEXT                why it was decided

      "
    `);
    expect((await spoor("help", "baseline", "rollback")).out).toBe(out);
  });

  it("are listed by the command that holds them", async () => {
    const { code, out } = await spoor("policy", "--help");
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "Explain a policy, run the examples it carries, or propose one.

      Usage: spoor policy SUBCOMMAND …

      Examples
        $ spoor policy suggest baseline/
            Rules that hold in every run of a folder, as a policy file.
        $ spoor policy explain policies/refunds.yaml
            Each rule in one sentence.
        $ spoor policy test policies/refunds.yaml
            The file's own examples; exit 1 if one behaves otherwise.

      Subcommands
        suggest  Rules that already hold in every one of some traces, as a policy to
                 read and keep
        explain  Print each rule as one English sentence
        test     Run the examples that the policy carries, and look for rules that
                 cannot work

      More about one: spoor policy SUBCOMMAND --help
      "
    `);
    expect(await spoor("policy")).toMatchObject({ code: 2, out });
  });

  it("stand beside a command that runs itself", async () => {
    expect((await spoor("cohort", "plan", "--help")).out).toContain("Usage: spoor cohort plan [BASELINE…] [options]");
    expect((await spoor("cohort", "--help")).out).toContain("Usage: spoor cohort [SIDES…] [options]");
    // A path is never taken for the subcommand.
    expect((await spoor("cohort", "./plan", "nowhere")).err).toContain("./plan");
  });

  it.each([
    {
      words: ["baseline", "comapre", "x"],
      says: 'spoor baseline has no subcommand "comapre".',
      hint: "Did you mean spoor baseline compare?",
    },
    {
      words: ["policy", "zzzzzz"],
      says: 'spoor policy has no subcommand "zzzzzz".',
      hint: "It has suggest, explain, test",
    },
    {
      words: ["help", "baseline", "shwo"],
      says: 'has no subcommand "shwo"',
      hint: "Did you mean spoor baseline show?",
    },
    { words: ["baseline", "show", "--fail-on", "new"], says: "spoor baseline show has no option --fail-on.", hint: "" },
    { words: ["baseline", "build"], says: "spoor baseline build needs TRACES.", hint: "spoor baseline build TRACES…" },
  ])("a mistake in $words is named: $says", async ({ words, says, hint }) => {
    const { code, out, err } = await spoor(...words);
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err.replaceAll(/\s+/g, " ")).toContain(says);
    expect(err.replaceAll(/\s+/g, " ")).toContain(hint);
  });

  it("no summary ends with a full stop, and every example starts with the command it belongs to", async () => {
    const wrong: string[] = [];
    const visit = async (entries: readonly CommandEntry[], parent?: string): Promise<void> => {
      for (const entry of entries) {
        const command = await loadCommand(entry, parent);
        if (entry.summary.endsWith(".")) wrong.push(entry.summary);
        for (const { run } of command.examples) if (!run.includes(`spoor ${command.name}`)) wrong.push(run);
        await visit(command.subcommands ?? [], command.name);
      }
    };
    await visit(commands);
    expect(wrong).toEqual([]);
  });
});

describe.skipIf(process.platform === "win32")("completion in bash", () => {
  async function complete(...words: string[]): Promise<string[]> {
    const { out } = await spoor("completion", "bash");
    const typed = words.map((word) => `'${word}'`).join(" ");
    const run = `${out}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _spoor; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", run], { encoding: "utf8" }).trim().split("\n");
  }

  it("knows subcommands, and the options of each", async () => {
    expect(await complete("spoor", "baseline", "re")).toEqual(["review", "reject"]);
    expect(await complete("spoor", "cohort", "pla")).toEqual(["plan"]);
    expect(await complete("spoor", "cohort", "plan", "--ro")).toEqual(["--rounds"]);
    expect(await complete("spoor", "baseline", "build", "--up")).toEqual(["--update"]);
    expect(await complete("spoor", "baseline", "compare", "--up")).toEqual([""]);
    expect(await complete("spoor", "baseline", "compare", "--fail-on", "to")).toEqual(["tools"]);
    expect(await complete("spoor", "sho")).toEqual(["show"]);
  });
});
