// The path of the program of child processes: TypeScript in a clone, and JavaScript in the published package.

import { extname, join } from 'node:path'

export const childFile = join(import.meta.dirname, `child${extname(import.meta.filename)}`)
