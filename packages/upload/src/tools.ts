// The objects that the parts of the plugin share after its start.

import type { Kernel } from '@plinth/kernel'
import type { Files } from './files.ts'
import type { Intake } from './intake.ts'

export interface UploadTools {
  readonly kernel: Kernel
  readonly intake: Intake
  readonly files: Files
  /** The time that one upload may take, in milliseconds. */
  readonly timeLimit: number
}
