// A thread of the command: src/load/threads says what it does.
const { exports: bundle, keep } = require("./load-bundle.cjs")("cli", "thread.cjs");
bundle.threadMain(keep);
