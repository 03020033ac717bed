/**
 * Around the driver of either engine: values are normalised on the way in and out, failures of the database become errors a person can act on, and
 * tests see every statement, so that they can kill the process at each of them.
 */
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from "kysely";
import { CompiledQuery as Compiled } from "kysely";
import type { Watch } from "./engine.ts";
import { connectionError, storeError } from "./store-error.ts";
import { bound, plainRow } from "./values.ts";

export interface DriverOptions {
  /** "begin immediate" on the embedded file: a deferred one that reads and then writes fails at once beside a second writer. */
  readonly begin: string;
  readonly watch?: Watch | undefined;
  /** Throws when this caller may not have a connection now. */
  readonly admit?: () => void;
}

export class WatchedDriver implements Driver {
  readonly #inner: Driver;
  readonly #options: DriverOptions;

  constructor(inner: Driver, options: DriverOptions) {
    this.#inner = inner;
    this.#options = options;
  }

  init(): Promise<void> {
    return this.#inner.init();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#options.admit?.();
    try {
      return new WatchedConnection(await this.#inner.acquireConnection(), this.#options.watch);
    } catch (error) {
      throw connectionError(error);
    }
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    void settings;
    await connection.executeQuery(Compiled.raw(this.#options.begin));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(Compiled.raw("commit"));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A full disk or a broken connection has rolled it back already; what is to be told is why, not that.
    await connection.executeQuery(Compiled.raw("rollback")).catch(() => undefined);
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return this.#inner.releaseConnection((connection as WatchedConnection).inner);
  }

  destroy(): Promise<void> {
    return this.#inner.destroy();
  }
}

class WatchedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  readonly #watch: Watch | undefined;

  constructor(inner: DatabaseConnection, watch: Watch | undefined) {
    this.inner = inner;
    this.#watch = watch;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#watch?.("before", query.sql);
    try {
      const result = await this.inner.executeQuery<R>({ ...query, parameters: query.parameters.map(bound) });
      this.#watch?.("after", query.sql);
      return { ...result, rows: result.rows.map((row) => plainRow(row as Record<string, unknown>) as R) };
    } catch (error) {
      throw storeError(error);
    }
  }

  // biome-ignore lint/correctness/useYield: nothing is streamed; pages are.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("The store reads pages, it does not stream.");
  }
}
