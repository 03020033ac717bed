/** What a describer needs to know that its report does not say. */
export interface DescribeView {
  readonly exitCode: number;
  readonly verbose: boolean;
  /** What one trace is called, for reports that do not carry it. */
  readonly noun?: string | undefined;
  /** The paths the user typed, for the next command. */
  readonly paths?: readonly string[] | undefined;
  /** Where the HTML report was written. */
  readonly htmlPath?: string | undefined;
}
