/** The native compiler, TypeScript 7: checking types takes a fifth of the processor's time of TypeScript 6. */

import { fileURLToPath } from 'node:url'

/** The path of its `tsc`, a program of Node. It has no JavaScript API. */
export const nativeCompiler = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript-native/package.json')))
