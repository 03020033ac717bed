/** Damaged files that people write, through their readers alone. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson, parsePolicy, parsePricing, SpoorError } from "@spoor/core";
import { parseBaseline } from "@spoor/core/internal/fingerprint/parse-baseline";
import { loadConfig } from "spoor/internal/config/load-config";
import { loadEvalFile } from "spoor/internal/evals/load-eval-files";
import { type Area, RESULT } from "../area.ts";
import { readSeed, type Seed } from "../mutate/mutate.ts";
import { seedOf } from "../repository-files.ts";
import { configurations, evalFiles, policies } from "./written-files.ts";

interface Reader {
  readonly seeds: readonly Seed[];
  read(text: string, file: string): unknown;
}

const PRICES = '{"_source":"a contract","a":[0.000002,0.000008],"b":{"input":1e-6,"output":2e-6,"batch_discount":0.5}}';

export const parseArea: Area = {
  name: "parse",
  about: "policies, configurations, eval files, baselines and price lists through their readers",
  share: 8,
  async open(scratch) {
    const readers: readonly Reader[] = [
      { seeds: policies(), read: (text) => parsePolicy(text, { file: "p.yaml" }) },
      { seeds: configurations(), read: (_, file) => loadConfig(file, scratch) },
      { seeds: evalFiles(), read: (_, file) => loadEvalFile(file, { cwd: scratch, strict: true }) },
      {
        seeds: [seedOf("examples/refund/baselines/support_agent.json")],
        read: (text) => parseBaseline(text, { file: "b.json", toolVersion: "0.1.0" }),
      },
      { seeds: [readSeed("prices.json", Buffer.from(PRICES))], read: (text) => parsePricing(jsonOf(text)) },
    ];
    const readerOf = new Map(readers.flatMap((reader) => reader.seeds.map(({ name }) => [name, reader])));
    return {
      seeds: readers.flatMap(({ seeds }) => seeds),
      async drive({ seed, bytes }) {
        const file = join(scratch, "input.yaml");
        writeFileSync(file, bytes);
        try {
          await readerOf.get(seed)!.read(bytes.toString("utf8"), file);
          return RESULT;
        } catch (error) {
          if (error instanceof SpoorError) return error.code;
          throw error;
        }
      },
    };
  },
};

/** A price list that is no JSON is refused by those who load it. */
function jsonOf(text: string) {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
