/** What every program does in every case; the words tell the scripted model how to answer. */
export const cases = [
  { name: "whole", words: "", stream: false },
  { name: "stream", words: "", stream: true },
  { name: "parallel", words: "PARALLEL", stream: false },
  { name: "parallel stream", words: "PARALLEL ROUNDS2", stream: true },
  { name: "429", words: "FLAKY429", stream: false },
  { name: "500", words: "FAIL500", stream: false },
  { name: "cut", words: "CUT", stream: true },
  { name: "abort", words: "HANG", stream: true, abort: true },
  { name: "gzip", words: "GZIP", stream: true },
];
