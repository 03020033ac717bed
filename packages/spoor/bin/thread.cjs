// A thread of the command: src/load/threads says what it does.
const { exports: bundle, keep } = require("./load-bundle.cjs")("cli", {
  entry: "thread.cjs",
  command: "thread",
});
bundle.threadMain(keep);
