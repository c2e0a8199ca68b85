// The key of the hashes of versions, which is random and in a table of the plugin, so that all processes have the same and
// nobody has to configure it. With hashes that need no key, a client could guess at attributes that it may not read.

import { randomBytes } from 'node:crypto'
import type { Kernel, OwnTables } from '@plinth/kernel'

const table = 'entry_versions_key'

/** The table, which has one row. Every start creates it if it is missing: v4, run beside, drops tables that it does not know. */
export const ownTables: OwnTables = {
  [table](columns) {
    columns.integer('id').primary()
    columns.string('key', 64).notNullable()
  },
}

/** The key of one database. */
export class HashKey {
  readonly #kernel: Pick<Kernel, 'knex' | 'transaction'>
  #key: Promise<string> | null = null

  constructor(kernel: Pick<Kernel, 'knex' | 'transaction'>) {
    this.#kernel = kernel
  }

  /** Returns the key, which is read once. Throws what the database throws. */
  get(): Promise<string> {
    this.#key ??= this.#find().catch(error => {
      this.#key = null
      throw error
    })
    return this.#key
  }

  async #find(): Promise<string> {
    const stored = await this.#stored()
    if (stored !== null) return stored
    const key = randomBytes(32).toString('hex')
    try {
      await this.#kernel.transaction(async tx => void (await tx.knex(table).insert({ id: 1, key })))
      return key
    } catch (error) {
      // Another process may have inserted its own at the same time.
      const other = await this.#stored()
      if (other === null) throw error
      return other
    }
  }

  async #stored(): Promise<string | null> {
    const row: { readonly key: string } | undefined = await this.#kernel.knex(table).where({ id: 1 }).first()
    return row?.key ?? null
  }
}
