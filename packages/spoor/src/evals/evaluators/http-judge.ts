/**
 * A judge behind HTTP: any OpenAI-compatible chat endpoint, or Anthropic's messages endpoint. Asked with temperature 0;
 * timeouts, 429 and 5xx are tried again with a growing pause. The key goes into a header and nowhere else.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import type { Judge, JudgeAnswer, JudgeQuestion } from "./run-context.ts";

export interface HttpJudgeSettings {
  readonly provider: "openai" | "anthropic";
  readonly model: string;
  /** `https://api.openai.com/v1`, `https://api.anthropic.com`, or any server that speaks the same. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
  /** First pause between attempts; it doubles each time. */
  readonly retryDelayMs?: number;
}

const DEFAULT_URLS = { openai: "https://api.openai.com/v1", anthropic: "https://api.anthropic.com" };
const MAX_TOKENS = 2048;

export function createHttpJudge(settings: HttpJudgeSettings): Judge {
  const baseUrl = (settings.baseUrl ?? DEFAULT_URLS[settings.provider]).replace(/\/+$/, "");
  const dialect = settings.provider === "openai" ? openai : anthropic;
  const name = `${settings.model} at ${baseUrl}`;
  return {
    name,
    async ask(question, signal) {
      const { url, headers, body } = dialect.request(baseUrl, settings, question);
      const answer = await post(url, headers, body, settings, signal);
      return dialect.answer(answer) ?? fail(name, "the answer has no text");
    },
  };
}

interface Dialect {
  request(
    baseUrl: string,
    settings: HttpJudgeSettings,
    question: JudgeQuestion,
  ): { url: string; headers: Record<string, string>; body: object };
  answer(body: Json): JudgeAnswer | undefined;
}

const openai: Dialect = {
  request: (baseUrl, { apiKey, model }, { system, prompt }) => ({
    url: `${baseUrl}/chat/completions`,
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    body: {
      model,
      temperature: 0,
      messages: [
        { role: "system", content: system },
        { role: "user", content: prompt },
      ],
    },
  }),
  answer(body) {
    const choices = member(body, "choices");
    const text = stringMember(member(Array.isArray(choices) ? (choices[0] as Json) : undefined, "message"), "content");
    return text === undefined ? undefined : { text, ...usage(body, "prompt_tokens", "completion_tokens") };
  },
};

const anthropic: Dialect = {
  request: (baseUrl, { apiKey, model }, { system, prompt }) => ({
    url: `${baseUrl.replace(/\/v1$/, "")}/v1/messages`,
    headers: { "anthropic-version": "2023-06-01", ...(apiKey === undefined ? {} : { "x-api-key": apiKey }) },
    body: { model, temperature: 0, max_tokens: MAX_TOKENS, system, messages: [{ role: "user", content: prompt }] },
  }),
  answer(body) {
    const content = member(body, "content");
    const parts = Array.isArray(content) ? (content as readonly Json[]) : [];
    const texts = parts.flatMap((part) => stringMember(part, "text") ?? []);
    return texts.length === 0 ? undefined : { text: texts.join(""), ...usage(body, "input_tokens", "output_tokens") };
  },
};

function usage(body: Json, input: string, output: string): { inputTokens?: number; outputTokens?: number } {
  const inputTokens = numberMember(member(body, "usage"), input);
  const outputTokens = numberMember(member(body, "usage"), output);
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  };
}

async function post(
  url: string,
  headers: Record<string, string>,
  body: object,
  settings: HttpJudgeSettings,
  signal: AbortSignal,
): Promise<Json> {
  const { maxRetries = 2, retryDelayMs = 1000, timeoutMs = 60_000 } = settings;
  for (let attempt = 0; ; attempt++) {
    const last = attempt >= maxRetries;
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      const text = await response.text();
      if (response.ok) return parseBody(url, text);
      const passing = response.status === 429 || response.status >= 500;
      if (!passing || last) throw refused(url, response.status, text);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SpoorError) throw error;
      if (last) throw unreachable(url, error, attempt + 1);
    }
    await sleep(retryDelayMs * 2 ** attempt, undefined, { signal });
  }
}

function parseBody(url: string, text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new SpoorError("judge.bad-answer", `The judge at ${url} answered something that is not JSON.`);
  }
}

function refused(url: string, status: number, text: string): SpoorError {
  return new SpoorError(
    "judge.refused",
    `The judge at ${url} answered with status ${status}: ${text.trim().slice(0, 300)}`,
    {
      hint: status === 401 || status === 403 ? "Check the API key." : "Check the model's name and the address.",
    },
  );
}

function unreachable(url: string, error: unknown, attempts: number): SpoorError {
  const cause = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).message;
  return new SpoorError(
    "judge.unreachable",
    `The judge at ${url} cannot be reached (${cause}; ${attempts} attempts).`,
    { cause: error },
  );
}

function fail(name: string, why: string): never {
  throw new SpoorError("judge.bad-answer", `The judge ${name}: ${why}.`);
}
