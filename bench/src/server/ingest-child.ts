/** The service without evaluation, in a process of its own: tells its port, and the CPU seconds between "begin" and "end". */
import { rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createApp } from "@spoor/server/internal/routes/create-app";
import { createHttpServer } from "@spoor/server/internal/serve";
import { openStore } from "@spoor/server/internal/store/open-store";

const file = process.argv[2]!;
for (const end of ["", "-wal", "-shm", ".lock"]) rmSync(file + end, { force: true });
const store = await openStore(file);
const { id: projectId } = await store.projects.ensure("bench");
const app = createApp(store, { projectId, isLoopback: true, limits: { perSecond: 1e9, burst: 1e9 } });
const server = createHttpServer(app);
server.listen(0, "127.0.0.1", () => process.send!({ port: (server.address() as AddressInfo).port }));

let before = process.cpuUsage();
process.on("message", (word) => {
  const { user, system } = process.cpuUsage(before);
  if (word === "begin") before = process.cpuUsage();
  process.send!({ seconds: (user + system) / 1e6 });
});
process.on("disconnect", () => process.exit(0));
