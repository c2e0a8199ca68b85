// A relation under another name: the value of a populate that only code can make. Its class is what distinguishes it
// from the parameters of clients, so there is no form of it in a query string or in JSON.

import type { PopulateOptions } from './options.ts'

/** An attribute that is populated under a key of the caller's choice; made by `under`. */
export class Under {
  /** The attribute. */
  readonly name: string
  readonly options: PopulateOptions

  constructor(name: string, options: PopulateOptions) {
    this.name = name
    this.options = options
  }
}

/**
 * Populates the attribute `name` under the key at which it stands: `{ first: under('tags', { limit: 1 }), all:
 * under('tags') }` gives two branches of `tags`, `first` and `all`, each with its own options. Keys consist of letters,
 * digits and `_`, do not begin with a digit, and occur once in a populate. In entries as objects, what is populated
 * hides an attribute that has its key for a name, also `id`.
 */
export function under(name: string, options: PopulateOptions = {}): Under {
  return new Under(name, options)
}
