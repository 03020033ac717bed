/** Makes inputs by their numbers and puts each through its area. An input depends on seed, area and number alone. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { digestText } from "@spoor/core/internal/canonical/digest";
import { createRandom, type Random } from "@spoor/core/internal/stats/random";
import type { Area, FuzzInput, OpenArea } from "./area.ts";
import { mutate, type Seed } from "./mutate/mutate.ts";
import { pick } from "./mutate/mutate-json.ts";

export interface InputRange {
  readonly seed: number;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** Which area has which input. */
  readonly areaOf: (number: number) => Area;
  /** Numbers that are left out: they ended the process before. */
  readonly skip?: ReadonlySet<number>;
}

interface Finding {
  readonly area: string;
  readonly number: number;
  readonly input: FuzzInput;
  readonly error: unknown;
}

export interface InputWatcher {
  /** Before each input. */
  begin(number: number): void;
  /** After each: "result", or the code of a typed error. */
  end(number: number, area: string, outcome: string): void;
  failed(finding: Finding, replay: (bytes: Buffer) => Promise<unknown>): Promise<void>;
}

export async function runInputs(range: InputRange, watcher: InputWatcher, world: FuzzWorld): Promise<void> {
  for (let number = range.from; number < range.to; number++) {
    if (range.skip?.has(number)) continue;
    const area = range.areaOf(number);
    const open = await world.open(area);
    watcher.begin(number);
    const input = makeInput(open, area.name, range.seed, number);
    try {
      const outcome = await open.drive(input);
      watcher.end(number, area.name, outcome);
    } catch (error) {
      const replay = (bytes: Buffer) => thrownBy(open, { ...input, bytes });
      await watcher.failed({ area: area.name, number, input, error }, replay);
    }
  }
}

/** What an input throws; undefined when it is put through. */
async function thrownBy(open: OpenArea, input: FuzzInput): Promise<unknown> {
  try {
    await open.drive(input);
    return undefined;
  } catch (error) {
    return error;
  }
}

export function makeInput({ seeds }: OpenArea, area: string, seed: number, number: number): FuzzInput {
  const random = createRandom(BigInt(`0x${digestText(`${seed} ${area} ${number}`, 16)}`));
  const chosen = pickSeed(seeds, random);
  const choice = random.below(1 << 30);
  return { seed: chosen.name, bytes: mutate(chosen, random, seeds), choice };
}

/** Mostly a small one: what is wrong with a reader shows there as well, and many of them are put through in the time of one large. */
function pickSeed(seeds: readonly Seed[], random: Random): Seed {
  const drawn = Array.from({ length: random.below(8) === 0 ? 1 : 4 }, () => pick(seeds, random));
  return drawn.reduce((least, seed) => (seed.bytes.length < least.bytes.length ? seed : least));
}

export interface FuzzWorld {
  open(area: Area): Promise<OpenArea>;
  close(): void;
}

/** Areas are opened once, each in a folder of its own. */
export function createWorld(): FuzzWorld {
  const scratch = mkdtempSync(join(tmpdir(), "spoor-fuzz-"));
  const opened = new Map<string, Promise<OpenArea>>();
  return {
    open(area) {
      const known = opened.get(area.name);
      if (known !== undefined) return known;
      const folder = join(scratch, area.name);
      mkdirSync(folder);
      const open = area.open(folder);
      opened.set(area.name, open);
      return open;
    },
    close: () => rmSync(scratch, { recursive: true, force: true }),
  };
}
