// The interface of a reader, which runs reads outside of the pool. Knows no kind of database.

import type { Maybe, Observers, Reading, Session, StatementListener } from '@plinth/kernel/database'

/** Runs reads outside of the pool. They see only committed transactions. */
export interface Reader {
  /** Null while there is no listener. */
  listener: StatementListener
  /** The observers of callers; null as long as no caller is observed. */
  observers: Observers | null
  /**
   * Runs a read, again from its beginning if necessary. `isAbandoned` returns true if the client no longer waits. Reads
   * of one `shape` cost about the same; reads of a fast shape do not queue. Throws UnavailableError.
   */
  read<T>(work: (session: Session) => Maybe<T>, reading?: Reading): Maybe<T>
  /**
   * A number that changes with every commit of any connection, as of the snapshot that `session` reads; null if that is
   * not known.
   */
  version(session: Session): number | null
  close(): Promise<void>
}
