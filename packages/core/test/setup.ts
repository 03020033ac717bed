/** Property tests draw the same cases on every machine; SPOOR_TEST_SEED=random (or a number) explores others. */
import fc from "fast-check";

const wanted = process.env["SPOOR_TEST_SEED"];
const seed = wanted === undefined ? 20_261 : wanted === "random" ? undefined : Number(wanted);
fc.configureGlobal(seed === undefined ? {} : { seed });
