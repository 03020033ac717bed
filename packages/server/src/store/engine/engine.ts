/**
 * What the rooms of the store know of the database under them. Aggregates are written once against this; only what the two engines do differently
 * stands behind it.
 */
import type { Kysely, Transaction } from "kysely";
import type { Tables } from "../schema.ts";
import type { Bell } from "./bell.ts";

export type Engine = "libsql" | "postgres";

export type Database = Kysely<Tables>;
/** Either the database or a transaction in it: what reads and writes single statements does not care. */
export type Statements = Database | Transaction<Tables>;
export type Tx = Transaction<Tables>;

export interface StoreEngine {
  readonly kind: Engine;
  readonly db: Database;
  readonly bell: Bell;
  /** All or nothing. Writers never wait for each other in a circle; where the database sees one, the work is begun again. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * A transaction that stays open while arrivals are evaluated: on connections of its own, so that what is asked meanwhile never waits for it.
   * The embedded file has one writer, so there nothing may stay open: undefined.
   */
  readonly claim: (<T>(work: (tx: Tx) => Promise<T>) => Promise<T>) | undefined;
  /** Makes room for bodies of these months; outside of any transaction that has touched bodies. */
  prepareMonths(months: readonly number[]): Promise<void>;
  /** The months that have bodies, oldest first, where bodies lie by month; undefined where they lie together. */
  bodyMonths(): Promise<readonly number[] | undefined>;
  /** Drops a whole month of bodies if that costs nothing; false when they must be deleted in slices. */
  dropMonth(month: number): Promise<boolean>;
  /** Gives freed space back, and says how many bytes the store takes; undefined where that is not this store's business. */
  shrink(): Promise<number | undefined>;
  /** Bytes that everything takes, of all projects. */
  size(): Promise<number>;
  /** The last statement of a transaction that writes events: their ids are in the order of commits, so that a reader misses none. */
  orderEvents(tx: Tx, projectId: number): Promise<void>;
  close(): Promise<void>;
}

/** Sees every statement before it is sent and after it has succeeded. */
export type Watch = (when: "before" | "after", statement: string) => void;
