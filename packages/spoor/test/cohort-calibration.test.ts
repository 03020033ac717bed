/** The short version of `npm run bench -- calibration`, on the real traces when they are there. */
import { describe, expect, it } from "vitest";
import { corporaExist, loadCorpora } from "../../../bench/src/calibration/corpora.ts";
import { batchRows, splitRows } from "../../../bench/src/calibration/false-alarms.ts";
import { aucRows, ratioRows } from "../../../bench/src/calibration/ratios.ts";
import { sequentialRows } from "../../../bench/src/calibration/sequential.ts";

const effort = { splits: 60, subCohorts: 0, planted: 0, orders: 40, draws: 299, limit: 299 };

describe.skipIf(!corporaExist)(
  `calibration${corporaExist ? "" : " (skipped: ../shared/corpora is not there)"}`,
  async () => {
    const corpora = corporaExist ? await loadCorpora() : undefined;

    it("gives the published ratios and p-values of six comparisons", () => {
      expect(ratioRows(corpora!).filter(({ kept }) => kept === false)).toEqual([]);
    });

    it("raises at most 1 alarm on 22 batches of unchanged agents", () => {
      expect(batchRows(corpora!)[0]!.kept).toBe(true);
    });

    it("tells failing from passing runs as well as published", () => {
      expect(aucRows(corpora!).filter(({ kept }) => kept === false)).toEqual([]);
    });

    it("stops early on changed agents and hardly ever on unchanged ones", () => {
      expect(sequentialRows(corpora!, effort).filter(({ kept }) => kept === false)).toEqual([]);
    });

    it("keeps its level on random splits: 540 of them, so 5 % may come out between 1 and 9 %", () => {
      const all = splitRows(corpora!, effort).at(-1)!;
      const share = Number(/^([\d.]+) %/.exec(all.measured)![1]);
      expect(share).toBeGreaterThan(1);
      expect(share).toBeLessThan(9);
    });
  },
);
