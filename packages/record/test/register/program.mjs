/** A program that knows nothing of any recorder: asks a model, and does what its argument says. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { isMainThread, Worker, workerData } from "node:worker_threads";

const [what = "plain"] = isMainThread ? process.argv.slice(2) : ["plain"];
const url = `${process.env.MODEL_URL}/v1/chat/completions`;
const self = fileURLToPath(import.meta.url);

function post(text, fetch = globalThis.fetch) {
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: `TEXT ${text}` }] });
  return fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
}

async function ask(text, fetch) {
  const response = await post(text, fetch);
  return (await response.json()).choices[0].message.content;
}

const doings = {
  plain: () => ask(isMainThread ? "from the program" : `from worker ${workerData}`),
  async workers() {
    await ask("from the program");
    await Promise.all([1, 2].map((number) => once(new Worker(self, { workerData: number }), "exit")));
  },
  async child() {
    await ask("from the parent");
    await once(spawn(process.execPath, [self], { stdio: "inherit" }), "exit");
  },
  async twice() {
    await import(process.env.REGISTER);
    await import(`${process.env.REGISTER}?again`);
    await ask("once");
  },
  async undici() {
    await ask("seen");
    const { fetch } = await import(process.env.UNDICI);
    await ask("not seen", fetch);
    await ask("not seen either", fetch);
  },
  async exit() {
    await post("HANG");
    process.exit(7);
  },
  async throws() {
    await ask("before the end");
    throw new Error("as it would have");
  },
  async kill() {
    await ask("before the end");
    process.kill(process.pid, "SIGKILL");
  },
};
await doings[what]();
if (isMainThread) process.stdout.write("done\n");
