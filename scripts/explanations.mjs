// What every word means that Spoor prints, for `spoor explain`: the reference pages once more, as data.
import { exitCodeMeanings } from "./error-reference.mjs";
import { axisWords, signalWords } from "./lens-reference.mjs";
import { upperFirst } from "./reference-page.mjs";

const packages = new URL("../packages/", import.meta.url);
const core = (path) => import(new URL(`core/dist/${path}`, packages));

export async function explanations() {
  const all = [
    ...(await errors()),
    ...(await exitCodes()),
    ...(await rules()),
    ...(await evaluators()),
    ...(await axes()),
    ...(await signals()),
  ];
  return `${JSON.stringify(all, null, 1)}\n`;
}

async function errors() {
  const { errorCodes, errorPages } = await core("error-codes.js");
  return Object.entries(errorCodes).map(([word, meaning]) => ({
    word,
    kind: "error",
    text: [meaning],
    page: `docs/${errorPages[word.split(".")[0]]}`,
  }));
}

async function exitCodes() {
  const known = await exitCodeMeanings();
  return known.map(([number, meaning]) => ({
    word: `exit ${number}`,
    kind: "exit code",
    text: [`${upperFirst(meaning)}.`],
    page: "docs/exit-codes.md",
  }));
}

async function rules() {
  const { ruleKinds } = await core("policy/rules.js");
  const { referenceRows } = await core("read/reference.js");
  return ruleKinds.map(({ kind, summary, params }) => ({
    word: kind,
    kind: "rule kind",
    text: [`${upperFirst(summary)}.`],
    keys: keysOf(referenceRows(params)),
    page: `docs/reference/rules.md#${kind}`,
  }));
}

async function evaluators() {
  const { evaluators } = await import(new URL("spoor/dist/evals/evaluators/evaluators.js", packages));
  const { referenceRows } = await core("read/reference.js");
  return evaluators.map(({ type, aliases = [], summary, fields }) => ({
    word: type,
    ...(aliases.length === 0 ? {} : { also: aliases }),
    kind: "evaluator",
    text: [`${upperFirst(summary)}.`],
    keys: keysOf(referenceRows(fields)),
    page: `docs/reference/evaluators.md#${type}`,
  }));
}

async function axes() {
  const { axes } = await core("diff/axes.js");
  return axes.map((axis) => ({
    word: axis.name,
    kind: "axis of a diff",
    text: axisWords(axis),
    page: `docs/reference/axes.md#${axis.name}`,
  }));
}

async function signals() {
  const { signals } = await core("fingerprint/signals/signals.js");
  return signals.map((signal) => ({
    word: signal.name,
    kind: "drift signal",
    text: [...signalWords(signal), `Its severity is ${signal.severity}.`],
    page: "docs/reference/signals.md",
  }));
}

function keysOf(rows) {
  return rows.map(({ keys, type, need, help }) => ({ key: keys.join(" or "), type, need, help }));
}
