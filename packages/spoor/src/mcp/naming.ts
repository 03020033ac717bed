/**
 * What the tools call things by: over files paths, over a service ids and names. Everything else about a tool is the same in both places, so
 * that an agent that knows one knows the other.
 */
export interface Naming {
  /** Of `show_trace`: the member that names what is shown. */
  readonly shown: { readonly key: string; readonly help: string };
  /** What names runs, behind "the traces:" and the like. */
  readonly runs: string;
  readonly policy: string;
  /** Absent where evaluators come as text alone. */
  readonly evaluators?: string;
  readonly baseline: { readonly help: string; file(given: string): string };
  readonly report: string;
  /** How `cursor` asks for the rest of an answer. */
  readonly cursor: string;
  readonly prompts: {
    /** The report of a gate that failed. */
    readonly report: string;
    /** Runs to try a rule on. */
    readonly traces: string;
    /** What is said to `show_trace` about a place that a report names. */
    readonly place: string;
  };
}

const PATHS = "files, folders or globs, in any format that Spoor reads";

export const byPath: Naming = {
  shown: { key: "path", help: "a file or folder with traces, in any format that Spoor reads" },
  runs: PATHS,
  policy: "a file, or a pack such as spoor:coding-agent",
  evaluators: "the file with the evaluators, or an eval file",
  baseline: {
    help: "a baseline file, or the folder of baselines, to compare with",
    file: (given) => given,
  },
  report: "a report saved with --format json or -o report.json",
  cursor: "the rest of a long answer; the other arguments are then not read",
  prompts: {
    report: "the report that spoor gate saved with -o report.json",
    traces: "runs to try it on: a file, a folder or a glob",
    place: "the path and the turn",
  },
};

const RUNS = "ids of runs, as search_runs gives them, or AGENT@RELEASE for every run of a release";

export const byRun: Naming = {
  shown: { key: "run", help: "the id of a run, as search_runs gives it, or AGENT@RELEASE for every run of a release" },
  runs: RUNS,
  policy: "the name under which the service has it, or a pack such as spoor:coding-agent",
  baseline: {
    help: "the agent whose approved baseline to compare with",
    file: (agent) => `${agent}.json`,
  },
  report: "the number of a report that the service has, as in spoor://report/7",
  cursor: "the rest of a long answer, or the next page of a list; the other arguments stay the same",
  prompts: {
    report: "the number of the report that the service has, as in spoor://report/7",
    traces: "runs to try it on: the id of one, or AGENT@RELEASE",
    place: "the id of the run, which search_runs finds, and the turn",
  },
};
