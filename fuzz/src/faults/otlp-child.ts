/** Takes spans as `spoor record` does, and says of each trace when it was acknowledged; what an earlier run left in its journal is taken up first. */
import { mkdirSync, writeSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { createOtlpReceiver } from "spoor/internal/record/otlp/otlp-receiver";

mkdirSync("telemetry", { recursive: true });
const receiver = await createOtlpReceiver({ folder: "telemetry", onProblem: (words) => writeSync(2, `${words}\n`) });
const server = createServer((asked, answer) => void receiver.handle(asked, answer));
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
for (const number of [1, 2]) {
  const traceId = `${process.pid.toString(16).padStart(16, "0")}${String(number).padStart(16, "0")}`;
  const status = await send(traceId);
  if (status === 200) writeSync(1, `kept ${JSON.stringify(traceId)}\n`);
}
server.closeAllConnections();
server.close();
const { unwritten } = await receiver.close();
process.exit(unwritten === 0 ? 0 : 2);

function send(traceId: string): Promise<number> {
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const span = {
    traceId,
    spanId: "00f067aa0ba902b7",
    name: "execute_tool lookup",
    startTimeUnixNano: "1700000000000000000",
    endTimeUnixNano: "1700000001000000000",
    attributes: [text("gen_ai.operation.name", "execute_tool"), text("gen_ai.tool.name", "lookup")],
  };
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        ...{ port, host: "127.0.0.1", method: "POST", path: "/v1/traces" },
        headers: { "content-type": "application/json" },
      },
      (answer) => {
        answer.resume();
        answer.on("end", () => resolve(answer.statusCode ?? 0));
      },
    );
    asked.on("error", reject);
    asked.end(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }));
  });
}
