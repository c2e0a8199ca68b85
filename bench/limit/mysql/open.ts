// The limit server's database on MariaDB and MySQL: a pool of ten connections, with statements prepared by `execute`.

import { createPool } from 'mysql2/promise'
import type { Target } from '../../store/store.ts'
import type { Pool } from '../pooled/pool.ts'
import { createReads } from '../pooled/reads.ts'
import type { Limit } from '../requests.ts'
import { createWrites } from './writes.ts'

const LISTED = 'IN (?)'

/** The pool, and how statements are prepared on it. */
export function openMysqlPool({ connection, pool: { max } = { min: 0, max: 10 } }: Target) {
  const connections = createPool({
    ...connection,
    connectionLimit: max,
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: true,
    jsonStrings: true,
    decimalNumbers: true,
    maxPreparedStatements: 2000,
  })
  const pool: Pool = {
    listed: LISTED,
    prepare(text) {
      const spread = createSpread(text)
      return async (...values) => (await connections.execute(...spread(values)))[0] as never
    },
  }
  return { connections, pool }
}

export function openMysqlLimit(target: Target, drafts: boolean): Limit {
  const { connections, pool } = openMysqlPool(target)
  const { lists, findOne, forgetTotal } = createReads(pool, drafts, target.rememberTotals === true)
  const { create, update } = createWrites(connections, drafts, findOne)
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

/** A list becomes as many placeholders, with one text per length. */
function createSpread(text: string) {
  const texts: string[] = []
  return (values: readonly unknown[]): [string, string[]] => {
    const [list] = values
    if (!Array.isArray(list)) return [text, values as string[]]
    texts[list.length] ??= text.replace(LISTED, `IN (${list.map(() => '?')})`)
    return [texts[list.length]!, list]
  }
}
