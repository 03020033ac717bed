export interface ScratchPostgres {
  readonly pid: number;
  /** The address of a new, empty database. */
  address(): Promise<string>;
  stop(): Promise<void>;
}

export function startPostgres(options?: { readonly isDurable?: boolean }): Promise<ScratchPostgres>;

export function ask(url: string, text: string): Promise<void>;
