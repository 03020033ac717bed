/**
 * Run as a program, one for all cases of an SDK, so that it is loaded as an application loads it:
 *
 *     node run-program.mjs NAME KIND LOADER
 *
 * LOADER is a module in the folder of its packages with `load(name)`: by `import` or, for KIND cjs, by `require`. Every case has a
 * prompt of its own, by which its requests are found again. Base URLs are in the environment, as the SDKs read them.
 */
import { pathToFileURL } from "node:url";
import { cases } from "./cases.mjs";
import { programs } from "./programs.mjs";
import { promptOf } from "./prompt-of.mjs";
import { NAME, getWeather as weather } from "./weather.mjs";

const [name, kind, loader] = process.argv.slice(2);
const { program = name, variants } = programs.find((one) => one.name === name);
const { run } = await import(`./programs/${program}.mjs`);
const loaded = await import(pathToFileURL(loader).href);
const load = loaded.load ?? loaded.default.load;

// With a recorder of its own a program shows its tools as they run, and lets recordings stand before them.
const own = process.env.OWN_RECORDER ? (await import(process.env.OWN_RECORDER)).createRecorder() : undefined;
const tools = { [NAME]: weather };
const getWeather = (own?.wrapTools(tools) ?? tools)[NAME];

const failures = {};
for (const variant of variants) {
  for (const one of cases) {
    const prompt = promptOf(name, kind, variant, one);
    try {
      await run({ ...one, variant, prompt, getWeather }, load);
    } catch (error) {
      failures[`${variant} ${one.name}`] = String(error?.message ?? error).slice(0, 200);
    }
  }
}
process.stdout.write(`${JSON.stringify(failures)}\n`, () => process.exit(0));
