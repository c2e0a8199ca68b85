// The limit server's database on PostgreSQL: a pool of ten connections, named statements, values as the server writes
// them.

import pg from 'pg'
import type { Target } from '../../store/store.ts'
import type { Pool } from '../pooled/pool.ts'
import { createReads } from '../pooled/reads.ts'
import type { Limit } from '../requests.ts'
import { named } from './named.ts'
import { createWrites } from './writes.ts'

const BOOLEAN = 16
const INTEGER = 23

/** Responses contain text, so only values that are counted or compared are parsed. */
const types = {
  getTypeParser: (oid: number) => {
    if (oid === INTEGER) return Number
    return oid === BOOLEAN ? (text: string) => text === 't' : (text: string) => text
  },
} as unknown as pg.CustomTypesConfig

/** The pool, and how statements are prepared on it. */
export function openPostgresPool({ connection, pool: { max } = { min: 0, max: 10 } }: Target) {
  const clients = new pg.Pool({ ...connection, max, types })
  const pool: Pool = {
    listed: '= ANY(?::int[])',
    prepare(text) {
      const statement = named(text)
      return async (...values) => (await clients.query({ ...statement, values: [...values] })).rows
    },
  }
  return { clients, pool }
}

export function openPostgresLimit(target: Target, drafts: boolean): Limit {
  const { clients, pool } = openPostgresPool(target)
  const { lists, findOne, forgetTotal } = createReads(pool, drafts, target.rememberTotals === true)
  const { create, update } = createWrites(clients, drafts)
  return {
    lists,
    findOne,
    async create(data) {
      const text = await create(data)
      forgetTotal()
      return text
    },
    update,
  }
}
