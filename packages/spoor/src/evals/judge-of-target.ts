/** A target as a judge: whatever answers a case can answer a judge's question. */
import { SpoorError } from "@spoor/core/internal/errors";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import type { Judge } from "./evaluators/run-context.ts";
import type { Environment } from "./interpolate.ts";
import type { Target } from "./load-targets.ts";
import { ProviderError } from "./providers/provider.ts";
import { readAnswer } from "./read-answer.ts";

export function judgeOfTarget(target: Target, env: Environment, folder: string): Judge {
  return {
    name: `target ${target.name}`,
    async ask({ system, prompt }, signal) {
      try {
        const messages = [
          { role: "system", content: system, text: system, files: [] },
          { role: "user", content: prompt, text: prompt, files: [] },
        ];
        const answer = await target.provider.ask(
          {
            caseId: "judge",
            run: 1,
            attempt: 1,
            messages,
            prompt: `${system}\n\n${prompt}`,
            files: [],
            folder,
            isolated: false,
            evalFile: "",
          },
          { signal, env, activity: () => undefined, now: () => performance.timeOrigin + performance.now() },
        );
        const facts = { caseId: "judge", run: 1, target: target.name, input: messages, elapsedMs: 0 };
        const { answer: text, tokenUsage } = subjectOfTrace(readAnswer(answer, facts).trace);
        return {
          text,
          ...(tokenUsage === undefined ? {} : { inputTokens: tokenUsage.input, outputTokens: tokenUsage.output }),
        };
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        throw new SpoorError("judge.failed", `The judge, target ${target.name}, did not answer: ${error.message}.`, {
          cause: error,
        });
      }
    },
  };
}

/** Providers that are models: only they judge without being named as a judge. */
const MODELS: ReadonlySet<string> = new Set(["openai", "anthropic", "openai-compatible"]);

export function canJudge(target: Target): boolean {
  return MODELS.has(target.providerName);
}
