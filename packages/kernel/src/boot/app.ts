// The types of the application's own module, src/index.

import type { EntryModule } from '../application/entry-module.ts'
import type { PluginHost, WholeServer } from '../hooks/plugin-host.ts'
import type { Kernel } from './kernel.ts'

/** The argument of the functions of src/index. */
export interface AppTools {
  readonly kernel: Kernel
  /** The scope of Plinth's routes; null without a server. */
  readonly app: PluginHost | null
  /** Null if the server also has other routes, and without a server. */
  readonly server: WholeServer | null
}

/** The exports of src/index. */
export type AppModule = EntryModule<AppTools>
