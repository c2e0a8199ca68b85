// Types of what a process that runs test files is told by the one that starts it, and of what it reports.

export interface HostOptions {
  /** Milliseconds that each file may take. */
  readonly timeout: number
  readonly files: readonly string[]
  /** Modules that stand in for others, by the end of the path of these. */
  readonly standIns: Readonly<Record<string, string>>
  /** An empty folder for temporary files. Whatever is in it after a file is removed. */
  readonly folder: string
}

/** The cost of a test file, measured in the process that ran it. Times are in milliseconds. */
export interface FileCost {
  readonly wall: number
  /** Until the first test of the file began: reading, stripping and compiling modules. */
  readonly loading: number
  /** Creating, resetting and dropping databases. */
  readonly databases: number
  /** Time of the processor of this process, and of the processes that the file started and that have ended. */
  readonly processor: number
  /** Time in which this process had nothing to do. */
  readonly waiting: number
  /** Bytes that this process had written to a disk. */
  readonly written: number
  /** Processes that the file started. */
  readonly processes: number
}

/** A process begins a file, or has ended it. */
export type Message =
  | { readonly kind: 'begin'; readonly file: string }
  | { readonly kind: 'end'; readonly file: string; readonly cost: FileCost }
