/**
 * Run as a program, in a process of its own, so that a framework is loaded as an application loads it:
 *
 *     node run-driver.mjs                      → the frameworks and the sorts of rules, as JSON
 *     node run-driver.mjs NAME FOLDER          → what happened under each rule, as JSON; FOLDER has its packages, and a load.mjs
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { drivers } from "./drivers.mjs";
import { guardedRules } from "./guarded-rules.mjs";
import { isRefused, runGuarded } from "./run-guarded.mjs";

const [name, folder] = process.argv.slice(2);
if (name === undefined) {
  print({ drivers: drivers.map(({ name, packages }) => ({ name, packages })), rules: guardedRules });
} else {
  const driver = drivers.find((one) => one.name === name);
  // Resolved from where the packages are, as an application resolves them.
  const { load } = folder === undefined ? {} : await import(pathToFileURL(join(folder, "load.mjs")).href);
  const observed = {};
  for (const rule of guardedRules) {
    const refused = rule.refusedWithout === true && isRefused(rule);
    const seen = rule.script.length === 0 ? {} : await runGuarded(driver, rule, load).catch(failed);
    observed[rule.column] = { refused, ...seen };
  }
  print(observed);
  // Frameworks keep timers and connections.
  process.exit(0);
}

function failed(error) {
  return { failed: String(error?.stack ?? error) };
}

function print(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
