/** One recording to the service, packed. Sending twice does no harm: the service knows a recording by its bytes. */
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { member, stringMember } from "@spoor/core/internal/trace/json";
import { askService, type Destination, jsonOf, notOurs, type SendOptions } from "./ask-service.ts";

export interface SentRecording {
  readonly id: string;
  readonly created: boolean;
}

export async function sendRecording(
  destination: Destination,
  about: Readonly<Record<string, string>>,
  bytes: Buffer,
  options: SendOptions = {},
): Promise<SentRecording> {
  const answer = jsonOf(
    await askService(destination, `/api/v1/traces?${new URLSearchParams(about)}`, options, {
      body: await promisify(gzip)(bytes),
      headers: { "content-encoding": "gzip", "content-type": "application/octet-stream" },
    }),
  );
  const id = stringMember(answer, "id");
  if (id === undefined) throw notOurs(destination.server);
  return { id, created: member(answer, "created") === true };
}
