/** Nothing has come yet: three lines that send a first recording. The page turns into the overview when it arrives. */
export function FirstRun({ needsToken }: { needsToken: boolean }) {
  const lines = [
    `export SPOOR_SERVER=${location.origin}${needsToken ? " SPOOR_TOKEN=spoor_…" : ""}`,
    "npx spoor record --push --agent my-agent --release v1 -- node my-agent.js",
    "npx spoor push recordings --agent my-agent --release v1",
  ];
  return (
    <section className="lead alone first-run" aria-labelledby="first-title">
      <p className="status waiting">Waiting for the first run</p>
      <h1 id="first-title">Send a run of your agent</h1>
      <p className="lede">
        Three lines in a terminal. The second runs your agent as always, in any language, and writes down what it asked
        models and what its tools returned; the third sends that here, without keys and passwords.
      </p>
      <pre className="commands">
        {lines.map((line) => (
          <code key={line}>{`${line}\n`}</code>
        ))}
      </pre>
      <p className="sub">
        {needsToken ? (
          <>
            A token with the scope <code>ingest</code> is made under <a href="/settings">Settings</a>.{" "}
          </>
        ) : null}
        Recordings you already have, of any format that Spoor reads, go with the last line alone. This page shows them
        as soon as they are here.
      </p>
    </section>
  );
}
