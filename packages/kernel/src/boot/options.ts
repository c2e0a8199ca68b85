// The options of createKernel.

import type { MigrateMode } from '../migrate/mode.ts'
import type { Kernel } from './kernel.ts'
import type { Logger } from './logger.ts'
import type { PluginsConfig } from './plugin-entry.ts'

/** Settings as the files of config/ have them, by file name. */
export interface SettingsByFile {
  readonly server?: Record<string, unknown>
  readonly api?: Record<string, unknown>
}

export interface KernelOptions {
  /** The folder of the application, with config/ and src/. Without it no files are read. */
  readonly dir?: string
  /** Overrides config/database. */
  readonly database?: unknown
  /** Content types in addition to those of the folder. */
  readonly contentTypes?: readonly unknown[]
  /** Components in addition to those of the folder, by uid. */
  readonly components?: Readonly<Record<string, unknown>>
  /** Overrides config/server and config/api, each as a whole; for tests and for applications without files. */
  readonly config?: SettingsByFile
  /** Overrides config/plugins. */
  readonly plugins?: PluginsConfig
  /**
   * The changes that the start may make to the database; overrides DATABASE_MIGRATE and `migrate` of config/database.
   */
  readonly migrate?: MigrateMode
  readonly logger?: Logger
  /** Called first, to register hooks before any plugin does. */
  readonly configure?: (kernel: Kernel) => void
  /** The maximum number of cached plans; 1000 by default. */
  readonly maxPlans?: number
  /** The maximum number of content types and components that a query may visit; config/api's `rest.maxCost`, or 100. */
  readonly maxCost?: number
  /** The maximum number of rows that the answer of a query may fetch; config/api's `rest.maxRows`, or 100,000. */
  readonly maxRows?: number
}
