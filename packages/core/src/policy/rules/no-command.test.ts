import { describe, expect, it } from "vitest";
import { policyOf, problemsOf, rule, traceOfRecords, turn, turnsOf, violationsOf } from "../../../test/policy.ts";
import { checkPolicy } from "../check-policy.ts";

const bash = (command: unknown) => turn({ calls: [{ name: "Bash", input: { command } as never }] });
const noPush = rule("no_command", { commands: { program: "git", subcommand: "push", options: ["--force", "-f"] } });

describe("no_command", () => {
  it("says what ran with what", () => {
    expect(
      violationsOf([noPush], traceOfRecords(bash("ls"), bash("cd x && sudo git push -uf origin main"))),
    ).toMatchObject([{ turnIndex: 1, message: "It runs git push with -f.", evidence: { tool: "Bash" } }]);
  });

  it("is not evaluated where the answer is known only when the command runs", () => {
    const report = checkPolicy(traceOfRecords(bash("git push $FLAGS")), policyOf([noPush]));
    expect(report.violations).toEqual([]);
    expect(report.notEvaluated).toMatchObject([
      { what: "r", why: "what git is given is known only when the command runs; write it out" },
    ]);
  });

  it("passes over what is unknown when it is told to", () => {
    const lenient = rule("no_command", {
      commands: [{ program: "git", subcommand: "push", options: "-f" }],
      unknown: "pass",
    });
    expect(checkPolicy(traceOfRecords(bash("git push $FLAGS")), policyOf([lenient])).notEvaluated).toEqual([]);
    expect(turnsOf(lenient, traceOfRecords(bash("git push $FLAGS -f")))).toEqual([0]);
  });

  it("remembers the folder from one call to the next, unless the call names its own", () => {
    const noRoot = rule("no_command", { commands: { program: "rm", paths: ["/*"] } });
    expect(turnsOf(noRoot, traceOfRecords(bash("cd /"), bash("rm -rf opt")))).toEqual([1]);
    const elsewhere = turn({ calls: [{ name: "exec_command", input: { cmd: "rm -rf opt", workdir: "/srv/app" } }] });
    expect(turnsOf(noRoot, traceOfRecords(bash("cd /"), elsewhere))).toEqual([]);
  });

  it("takes options of other programs with their values", () => {
    const noProd = rule("no_command", {
      commands: { program: "kubectl", subcommand: "delete", options: "--context prod*", valued: ["--context", "-n"] },
    });
    expect(turnsOf(noProd, traceOfRecords(bash("kubectl --context prod-eu delete pod x")))).toEqual([0]);
    expect(turnsOf(noProd, traceOfRecords(bash("kubectl --context=prod delete pod x")))).toEqual([0]);
    expect(turnsOf(noProd, traceOfRecords(bash("kubectl --context dev delete pod prod")))).toEqual([]);
  });

  it("names its own shells", () => {
    const own = rule("no_command", { commands: { program: "git" }, tool: "my_shell" });
    expect(turnsOf(own, traceOfRecords(turn({ calls: [{ name: "my_shell", input: { script: "git x" } }] })))).toEqual([
      0,
    ]);
    expect(turnsOf(own, traceOfRecords(bash("git x")))).toEqual([]);
  });

  it("says when nothing is forbidden", () => {
    expect(problemsOf([rule("no_command", { commands: [{ subcommand: "push" }] })])).toHaveLength(1);
    expect(problemsOf([rule("no_command", { commands: [] })])).toHaveLength(1);
  });
});
