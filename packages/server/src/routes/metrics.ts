/** What the service counts about itself, and the text in which Prometheus reads it. */
export interface Metrics {
  /** `spoor_ingest_total{result="new"}` is one more. */
  count(name: string, labels?: Labels): void;
  /** Counters so far, with gauges that are known only when somebody asks. */
  write(gauges: readonly Gauge[]): string;
}

export type Labels = Readonly<Record<string, string>>;

export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly value: number;
}

const HELP: Readonly<Record<string, string>> = {
  spoor_ingest_total: "Bodies by what came of them: new, known, refused.",
  spoor_otlp_requests_total: "Export requests of OpenTelemetry that were taken.",
  spoor_requests_total: "Requests by status.",
};

export function createMetrics(): Metrics {
  const counters = new Map<string, Map<string, number>>();
  return {
    count(name, labels = {}) {
      const series = counters.get(name) ?? new Map<string, number>();
      const key = labelText(labels);
      series.set(key, (series.get(key) ?? 0) + 1);
      counters.set(name, series);
    },
    write(gauges) {
      const lines: string[] = [];
      for (const [name, series] of [...counters].sort(([left], [right]) => (left < right ? -1 : 1))) {
        lines.push(`# HELP ${name} ${HELP[name] ?? name}`, `# TYPE ${name} counter`);
        for (const [labels, value] of [...series].sort()) lines.push(`${name}${labels} ${value}`);
      }
      for (const { name, help, value } of gauges)
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`);
      return `${lines.join("\n")}\n`;
    },
  };
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, "_")}"`);
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}
