// NOTICE of the packages that carry code of others inside their bundles: whose it is, and under which terms.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { root } from "./ensure-installed.mjs";

const READING = ["ajv", "ajv-formats", "fast-deep-equal", "fast-uri", "json-schema-traverse", "yaml"];
const CORE = [...READING, "@stdlib/math-base-special-betainc"];

/** What the bundles of each package hold; a package of @stdlib stands for all of them, which are one work. */
const BUNDLED = {
  core: CORE,
  record: [...READING, "re2js"],
  spoor: [...CORE, "@noble/hashes", "preact", "re2js"],
};

export function notices() {
  return Object.entries(BUNDLED).map(([name, names]) => [`packages/${name}/NOTICE`, noticeOf([...names].sort())]);
}

function noticeOf(names) {
  const parts = names.map((name) => `${name.startsWith("@stdlib/") ? "@stdlib" : name}\n\n${termsOf(name)}`);
  const head =
    "Spoor is licensed under the Apache License 2.0; see LICENSE.\nThese files hold code of the following projects:\n";
  return `${[head, ...parts].join(`\n${"-".repeat(80)}\n\n`)}`;
}

/** The Apache License itself stands in LICENSE; of works under it the notice is what has to be kept. */
function termsOf(name) {
  const folder = `${root}node_modules/${name}`;
  const files = readdirSync(folder);
  const notice = files.find((file) => /^notice/i.test(file));
  const file = notice ?? files.find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined || !existsSync(`${folder}/${file}`)) throw new Error(`${name} has no licence file`);
  return `${readFileSync(`${folder}/${file}`, "utf8").replaceAll("\r\n", "\n").trim()}\n`;
}
