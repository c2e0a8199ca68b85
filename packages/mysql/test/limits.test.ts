// The time limits of connections, as statements that both servers read in their own way.

import t from 'tap'
import { liftTimes, setTimes } from '../src/limits.ts'

t.test('one statement sets the limits of MySQL and of MariaDB', async t => {
  const times = { statementTimeout: 1500, lockTimeout: 2001, idleTransactionTimeout: 500 }
  const mariadb = (text: string) => plain(text.replace(/\/\*M!(?:\d{6})?(.*?)\*\//g, '$1'))
  const mysql = (text: string) => plain(text.replace(/\/\*!80000(.*?)\*\//g, '$1'))
  const plain = (text: string) => text.replace(/\/\*.*?\*\//g, '').replace(/\s+/g, ' ')
  const locks = (n: string) => `innodb_lock_wait_timeout = ${n}, lock_wait_timeout = ${n},`
  const set = setTimes(times, `sql_mode = ''`)
  t.equal(
    mariadb(set),
    `SET SESSION max_statement_time = 1.5, idle_transaction_timeout = 1, ${locks('3')} sql_mode = ''`,
  )
  t.equal(mysql(set), `SET SESSION max_execution_time = 1500, ${locks('3')} sql_mode = ''`)
  const { lift, restore } = liftTimes({ statementTimeout: 0, lockTimeout: 0, idleTransactionTimeout: 0 })
  t.equal(mysql(lift), `SET SESSION max_execution_time = 0, ${locks('600')} sql_notes = DEFAULT`)
  t.equal(mysql(restore), `SET SESSION max_execution_time = DEFAULT, ${locks('DEFAULT')} sql_notes = DEFAULT`)
})
