import { describe, expect, it } from "vitest";
import { labelledSecrets } from "../../../../../bench/src/labelled-secrets.ts";
import { redactReport } from "./redact-report.ts";

describe("what a report is about stays", () => {
  it("names of tools, rules and files that sound like secrets keep what is said of them", () => {
    const report = {
      tools: { get_secret: { status: "new", file: "runs/token.json" }, refresh_token: "changed" },
      rules: [{ id: "no-password", message: "password in a reply" }],
      digest: `sha256:${"ab".repeat(32)}`,
      next: "spoor show runs/token.json --turn 1",
    };
    expect(redactReport(report)).toEqual(report);
  });

  it("addresses and numbers of people, of which a change is worth a line", () => {
    const report = { arguments: { to: "bob@example.com", amount: 1200, phone: "+4915112345678" } };
    expect(redactReport(report)).toEqual(report);
  });

  it("but what looks like a secret does not, wherever it stands", () => {
    const secret = labelledSecrets(1).find(({ vendor }) => vendor === "GitHub, fine-grained")!.value;
    expect(
      redactReport({ a: [secret], [secret]: 1, text: `x ${secret}`, arguments: { password: "plainword" } }),
    ).toEqual({
      a: ["[REDACTED:github_token]"],
      "[REDACTED:github_token]": 1,
      text: "x [REDACTED:github_token]",
      arguments: { password: "[REDACTED:secret]" },
    });
  });
});
