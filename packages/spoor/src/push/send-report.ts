/** A report to the service, packed. The same report again is the same one there. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { member } from "@spoor/core/internal/trace/json";
import { askService, type Destination, jsonOf, notOurs, type SendOptions } from "./ask-service.ts";

/** The address at which it can be read. */
export async function sendReport(destination: Destination, json: string, options: SendOptions = {}): Promise<string> {
  const answer = jsonOf(
    await askService(destination, "/api/v1/reports", options, {
      body: await promisify(gzip)(json),
      headers: { "content-encoding": "gzip", "content-type": "application/json" },
    }),
  );
  const id = member(answer, "id");
  if (typeof id !== "number") throw notOurs(destination.server);
  return `${destination.server}/api/v1/reports/${id}.html`;
}
