/** Why a recording may be empty, from what the doors saw. */
import { basename } from "node:path";
import type { NothingRecordedCause, ProxyDoor } from "@spoor/core/internal/capture/record-report";

export interface SeenOfCommand {
  readonly words: readonly string[];
  readonly wasAdapted: boolean;
  readonly shellCode: number;
}

export function likelyCauses(proxy: ProxyDoor | undefined, command: SeenOfCommand | undefined): NothingRecordedCause[] {
  const causes: NothingRecordedCause[] = [];
  if (command !== undefined && command.shellCode !== 0 && (proxy?.forwarded ?? 0) === 0) causes.push("command_failed");
  if (proxy === undefined) return [...causes, "proxy_off"];
  const isCodex = command?.words.some((word) => basename(word).startsWith("codex")) ?? false;
  if (isCodex && command?.wasAdapted === false) causes.push("codex_not_adapted");
  if (proxy.upgradesRefused > 0) causes.push("upgrade_refused");
  causes.push(proxy.otherPaths.length > 0 ? "other_paths_only" : "no_request");
  return causes;
}
