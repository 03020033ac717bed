/** What the files of a recording are called: `<scenario>.run<k>`, by which runs are paired and gathered, else the conversation's number. */
import type { RunFile } from "@spoor/core/internal/capture/seen";

const MOST = 100_000;

/**
 * The names to try, best first. A run whose number was stated keeps it; another process's file of that name is left alone.
 * `taken`: so many numbers are known to be, where numbers are counted.
 */
export function* fileNames(run: RunFile, part: number, pid: number, taken = 0): Generator<string> {
  const ending = `${part === 1 ? "" : `.part${part}`}.agentlog`;
  if (run.auxiliary) {
    yield `auxiliary${ending}`;
    yield `auxiliary.${pid}${ending}`;
    for (let number = 2; number < MOST; number++) yield `auxiliary.${pid}-${number}${ending}`;
  } else if (run.scenario !== undefined && run.run !== undefined) {
    const stem = `${fileStem(run.scenario)}.run${run.run}`;
    yield `${stem}${ending}`;
    yield `${stem}.${pid}${ending}`;
    for (let number = 2; number < MOST; number++) yield `${stem}.${pid}-${number}${ending}`;
  } else {
    const stem = run.scenario === undefined ? "conversation-" : `${fileStem(run.scenario)}.run`;
    for (let number = taken + 1; number < MOST; number++) yield `${stem}${number}${ending}`;
  }
}

/** A scenario as a file name on any system: letters, digits and a few signs; never hidden, never endless. */
export function fileStem(scenario: string): string {
  const plain = scenario
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 100);
  return plain === "" ? "scenario" : plain;
}
