/**
 * Keeps secrets out of everything that leaves the run: results, dumped traces, what a judge is asked, the terminal, error messages. From what is made
 * to be shared, dumps and questions, keys and tokens that look like ones go too, whoever's they are (`forOthers`). What
 * counts as a secret: variables of the environment that are named or look like one; what a targets file writes out under a key that
 * says so, in headers or in the agent's environment; and any value a file took from the environment (from eight characters on,
 * shorter ones only when the name or the key says so).
 *
 * What is no secret stays, because a trace is evidence: where something lies (`PWD`, `HOME`, `SSH_AUTH_SOCK`, a key's file) and what a target
 * is called, runs on or runs in (`model`, `cwd`) would otherwise be torn out of arguments and names.
 */
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { addSecret, createKnownSecrets } from "@spoor/core/internal/redact/known-secrets";
import { createReportRedaction } from "@spoor/core/internal/redact/redaction";
import { isSecretVariable, isSurroundings } from "@spoor/core/internal/redact/secret-names";
import { hasSecretShape, isTooPlain } from "@spoor/core/internal/redact/secret-values";
import { isObject, setMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { environmentSecrets, isPlace } from "@spoor/record/internal/node/environment-secrets";
import type { Judge } from "./evaluators/run-context.ts";
import type { Environment, UsedVariable } from "./interpolate.ts";

const SECRET_KEY = /key|token|secret|password|authorization|cookie|credential/i;
/** Keys of a target under which nobody keeps a secret. */
const PLAIN_KEY =
  /^(?:name|model|deployment|provider|api_version|version|region|cwd|workspace\w*|path|file|dir|folder)$/i;
const MIN_LENGTH = 8;

export interface Redactor {
  text(text: string): string;
  json<T extends Json>(value: T): T;
}

export function createRedactor(used: readonly UsedVariable[], env: Environment): Redactor {
  const names = environmentSecrets(env);
  for (const variable of used) if (isSecret(variable)) addSecret(names, variable.value, variable.name);
  const known = createKnownSecrets(names, (name) => `[${name} removed]`);
  if (known === undefined) return { text: (text) => text, json: (value) => value };
  return { text: known.text, json: (value) => redactJson(value, known.text) as typeof value };
}

/**
 * Beside what is known to be secret, what looks like it: an agent repeats keys that it read in files and answers. Results keep these, because
 * runs are graded again from there and an evaluator may look for them.
 */
export function forOthers(redactor: Redactor): Redactor {
  const shapes = createReportRedaction();
  return {
    text: (text) => shapes.text(redactor.text(text)),
    json: (value) => shapes.json(redactor.json(value)),
  };
}

/** Whether a value that a file used is a secret by its name, the key it stands under, or because nothing says that it is none. */
function isSecret({ name, value, key, isLiteral }: UsedVariable): boolean {
  if (isLiteral) return !isTooPlain(value);
  if (isSurroundings(name)) return false;
  if (isSecretValue({ name, value, key })) return value.length >= 4 && (value.length < 6 || !isTooPlain(value));
  const isPlain = PLAIN_KEY.test(key) || isPlace(name, value) || /^https?:\/\/[^@?#]*$/i.test(value);
  return !isPlain && value.length >= MIN_LENGTH && !isTooPlain(value);
}

/** By its name, its looks, or the key it stands under. */
export function isSecretValue({ name, value, key }: UsedVariable): boolean {
  return isSecretVariable(name) || SECRET_KEY.test(key) || hasSecretShape(value);
}

/** What holds no secret is the same object: most runs do not, and there are thousands. */
function redactJson(value: Json, text: (input: string) => string): Json {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => redactJson(item, text));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, item]) => [text(key), redactJson(item, text)] as const);
  const keys = Object.keys(value);
  if (members.every(([key, item], index) => key === keys[index] && item === value[key])) return value;
  const result: Record<string, Json> = {};
  for (const [key, item] of members) setMember(result, key, item);
  return result;
}

/** A judge is somebody else: it is asked about the run without the secrets that the agent repeated. */
export function judgeWithoutSecrets(judge: Judge, redactor: Redactor): Judge {
  const { text } = forOthers(redactor);
  return {
    ...judge,
    ask: (question, context) =>
      judge.ask({ ...question, system: text(question.system), prompt: text(question.prompt) }, context),
  };
}

/** The same error without secrets; anything but a user's error keeps its stack and is ours. */
export function errorWithoutSecrets(error: unknown, redactor: Redactor): unknown {
  if (!(error instanceof SpoorError)) return error;
  const told = (text: string | undefined) => (text === undefined ? undefined : redactor.text(text));
  return new SpoorError(
    error.code,
    redactor.text(error.message),
    present({
      at: error.at,
      hint: told(error.hint),
      excerpt: told(error.excerpt),
      excerptNote: error.excerptNote,
      consequence: told(error.consequence),
      problems: error.problems.map((problem) =>
        present({ ...problem, message: redactor.text(problem.message), excerpt: told(problem.excerpt) }),
      ),
      cause: error.cause,
    }),
  );
}

/** For judges of what was recorded elsewhere: the secrets of this environment do not reach them. */
export function judgeInEnvironment(judge: Judge, env: Environment): Judge {
  return judgeWithoutSecrets(judge, createRedactor([], env));
}
