// The limit server's database on PostgreSQL: a pool of ten connections, named statements, values as the server writes
// them.
import pg from 'pg'
import type { Target } from '../../store/store.ts'
import type { Limit } from '../limit.ts'
import type { Pool } from '../pooled/pool.ts'
import { createReads } from '../pooled/reads.ts'
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

export function openPostgresLimit(
  { connection, pool: { max } = { min: 0, max: 10 }, rememberTotals }: Target,
  drafts: boolean,
): Limit {
  const clients = new pg.Pool({ ...connection, max, types })
  const pool: Pool = {
    listed: '= ANY(?::int[])',
    prepare(text) {
      const statement = named(text)
      return async (...values) => (await clients.query({ ...statement, values: [...values] })).rows
    },
  }
  const { lists, findOne, forgetTotal } = createReads(pool, drafts, rememberTotals === true)
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
