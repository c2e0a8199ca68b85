// Finds what in the settings of CORS has no effect, because no request or answer has it: origins, methods, and names of
// headers.

import { suggestion } from '@plinth/kernel'
import type { CorsOptions } from './config.ts'
import { isHeaderName } from './header-names.ts'
import { faultsOfOrigins, listOf } from './origins.ts'

/** Not imported: as an ES module, `node:http` evaluates all its exports, including an HTTP client. */
const { METHODS } = process.getBuiltinModule('node:http')

/** A part of a setting without effect. */
export interface CorsFault {
  /** The option, such as `methods`. */
  readonly option: string
  /** A sentence without a full stop. */
  readonly text: string
}

/** Returns the parts of the options that have no effect. */
export function faultsOf(options: CorsOptions): CorsFault[] {
  const lists = [
    ['methods', faultOfMethod],
    ['headers', faultOfHeader],
    ['expose', faultOfHeader],
  ] as const
  return [
    ...faultsOfOrigins(options.origin).map(text => ({ option: 'origin', text: `${text}, so it allows no origin` })),
    ...lists.flatMap(([option, faultOf]) =>
      (listOf(options[option]) ?? []).flatMap(word => {
        const fault = word === '*' ? null : faultOf(word)
        return fault === null ? [] : [{ option, text: `"${word}" ${fault}` }]
      }),
    ),
  ]
}

/** Browsers compare methods by case. */
const faultOfMethod = (word: string): string | null =>
  METHODS.includes(word) ? null : `allows nothing, because it is not a method of HTTP${suggestion(word, METHODS)}`

const faultOfHeader = (word: string): string | null =>
  isHeaderName(word) ? null : 'has no effect, because it is not the name of a header'
