/** The signals by which a person or a CI system gives a command up; the last comes when the terminal is closed. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Listens until the function that it returns is called. */
export function onStopSignals(listener: () => void): () => void {
  for (const name of SIGNALS) process.on(name, listener);
  return () => {
    for (const name of SIGNALS) process.off(name, listener);
  };
}
