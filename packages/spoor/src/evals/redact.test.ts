import { expect, it } from "vitest";
import { labelledSecrets } from "../../../../bench/src/labelled-secrets.ts";
import type { Judge } from "./evaluators/run-context.ts";
import { createRedactor, forOthers, judgeInEnvironment } from "./redact.ts";

const tokens = labelledSecrets(1).filter(({ vendor }) => /GitHub, classic|Slack, bot|Stripe, live/.test(vendor));
const env = { SERVICE_PASSWORD: "correct-Horse7-battery" };

it("a judge is asked without secrets of the environment and without keys that the agent read somewhere", async () => {
  const asked: string[] = [];
  const judge = {
    ask: async (question: { system: string; prompt: string }) => {
      asked.push(question.system, question.prompt);
      return {};
    },
  } as unknown as Judge;
  const said = `The agent printed ${tokens.map(({ value }) => value).join(" and ")} and ${env.SERVICE_PASSWORD}.`;
  await judgeInEnvironment(judge, env).ask({ system: said, prompt: said } as never, {} as never);
  expect(asked).toHaveLength(2);
  for (const text of asked)
    for (const secret of [...tokens.map(({ value }) => value), env.SERVICE_PASSWORD])
      expect(text).not.toContain(secret);
});

it("results keep what only looks like a key, because runs are graded again from there; dumps do not", () => {
  const redactor = createRedactor([], env);
  const run = { answer: `${tokens[0]!.value} ${env.SERVICE_PASSWORD}`, order: "A-7702" };
  expect(redactor.json(run)).toEqual({ answer: `${tokens[0]!.value} [SERVICE_PASSWORD removed]`, order: "A-7702" });
  expect(forOthers(redactor).json(run)).toEqual({
    answer: "[REDACTED:github_token] [SERVICE_PASSWORD removed]",
    order: "A-7702",
  });
});
