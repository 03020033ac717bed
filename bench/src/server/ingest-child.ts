/** The service in a process of its own: tells its port, and the CPU seconds between "begin" and "end". It evaluates nothing until it is told to. */
import type { AddressInfo } from "node:net";
import { openHooks } from "@spoor/server/internal/hooks/open-hooks";
import { createApp } from "@spoor/server/internal/routes/create-app";
import { createHttpServer } from "@spoor/server/internal/serve";
import { startWorkBeside } from "@spoor/server/internal/start-thread";
import { openStore } from "@spoor/server/internal/store/open-store";

const address = process.argv[2]!;
const store = await openStore(address);
const { id: projectId } = await store.projects.ensure("bench");
const app = createApp(store, { projectId, isLoopback: true, limits: { perSecond: 1e9, burst: 1e9 } });
const server = createHttpServer(app);
server.listen(0, "127.0.0.1", () => process.send!({ port: (server.address() as AddressInfo).port }));

let before = process.cpuUsage();
process.on("message", (word) => {
  const { user, system } = process.cpuUsage(before);
  if (word === "begin") before = process.cpuUsage();
  if (word === "evaluate")
    startWorkBeside(address, store, (error) => console.error(error), openHooks(address, process.env));
  process.send!({ seconds: (user + system) / 1e6 });
});
process.on("disconnect", () => process.exit(0));
