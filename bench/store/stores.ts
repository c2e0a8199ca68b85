// The stores of a run: those of DATABASES, or all that answer.

import { DATABASES } from '../options.ts'
import { mysql } from './mysql.ts'
import { postgres } from './postgres.ts'
import { sqlite } from './sqlite.ts'
import type { Client, Store } from './store.ts'

const ALL: Readonly<Record<Client, Store>> = { sqlite, mysql, postgres }

export interface Reached {
  readonly store: Store
  readonly title: string
}

/**
 * A database that DATABASES names must answer; without DATABASES, one that does not answer is skipped with a message.
 */
export async function reachStores(): Promise<readonly Reached[]> {
  const reached: Reached[] = []
  for (const client of DATABASES ?? (Object.keys(ALL) as Client[])) {
    const store = ALL[client as Client]
    if (store === undefined)
      throw new Error(`DATABASES: "${client}" is not known; the known names are sqlite, mysql, postgres`)
    try {
      reached.push({ store, title: await store.describe() })
    } catch (error) {
      if (DATABASES !== null) throw error
      console.error(`${client} is left out: ${(error as Error).message}`)
    }
  }
  return reached
}

/** The first store of DATABASES, by default SQLite, for tools that use one. */
export async function firstStore(): Promise<Store> {
  const client = (DATABASES?.[0] ?? 'sqlite') as Client
  await ALL[client].describe()
  return ALL[client]
}
