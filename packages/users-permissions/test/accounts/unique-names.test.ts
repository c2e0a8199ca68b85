// Names are unique in any case, in parallel and in two processes too, while those of an old table stay (security.md row 65).

import { randomInt } from 'node:crypto'
import { freshDatabase, testClient } from '@plinth/test-tools/databases'
import t from 'tap'
import { replacements } from '../../src/accounts/equal-names.ts'
import { foldName, normalizeName } from '../../src/accounts/names.ts'
import { refused, start, uid } from '../fixtures/accounts.ts'
import { startGraphql } from '../fixtures/graphql.ts'

const taken = 'Email or Username are already taken'
const unique = 'This attribute must be unique'

/** Pairs of names that are one name. */
const pairs = [
  ['Gandalf', 'gANDALF'],
  ['Müller', 'MÜLLER'],
  ['straße', 'STRASSE'],
  ['Анна', 'аННА'],
  ['Σίσυφος', 'ΣΊΣΥΦΟΣ'],
  ['ışık', 'IŞIK'],
  ['İpek', 'ipek'],
  ['Åsa_%', 'åSA_%'],
  ['ǆura', 'ǅURA'],
  ['𐐀𐐁𐐂', '𐐨𐐩𐐪'],
] as const

t.test('a name in another case is taken, by every way in', async t => {
  const { post, put, ask, user, logIn, kernel, get } = await startGraphql(t)
  await user('zed')
  const jwt = await logIn('zed')
  let made = 0
  const email = () => `n${++made}@example.com`
  const register = (username: string, address = email()) =>
    post('auth/local/register', { username, email: address, password: 'a-secret' })
  const named = (username: string) => ({ data: { username, email: email(), provider: 'local', role: 1 } })
  for (const [first, second] of pairs) {
    await kernel.query(uid).create(named(first))
    const again = await register(second)
    t.equal(again.body.error?.message, taken, second)
    const body = { username: second, email: email(), password: 'a-secret', role: 1 }
    refused(t, await post('users', body, jwt), 400, unique)
    refused(t, await put('users/1', { username: second }, jwt), 400, 'Username already taken')
    await t.rejects(kernel.query(uid).create(named(second)), { message: unique }, 'code')
    await t.rejects(kernel.query(uid).update(1, { data: { username: second } }), { message: unique }, 'code')
    const update = `updateUsersPermissionsUser(id: 1, data: { username: "${second}" }) { data { id } }`
    t.equal((await ask(`mutation { ${update} }`, jwt)).body.errors[0].message, 'Username already taken')
  }
  // Some columns of MySQL take letters with accents for those without.
  const others = (await hasFoldingColumn(kernel))
    ? ['Gandalf1', 'Gand%', 'Gand_lf']
    : ['Mueller', 'Muller', 'strase', 'Gandálf', 'Gandalf1', 'Gand%', 'Gand_lf']
  for (const other of others) await t.resolves(kernel.query(uid).create(named(other)), `${other} is another name`)
  refused(t, await register('N1@EXAMPLE.com'), 400, taken)
  refused(t, await register('other', 'N1@EXAMPLE.com'), 400, taken)
  t.equal((await put('users/1', { username: 'ZED', email: 'ZED@example.com' }, jwt)).status, 200, 'one own name')
  t.equal((await get('users/me', jwt)).body.username, 'ZED')
})

t.test('two processes, at once', async t => {
  const database = await freshDatabase(testClient())
  t.teardown(() => database.drop())
  const one = await start(t, { database: database.config })
  const two = await start(t, { database: database.config })
  const spell = (name: string, i: number) =>
    [...name].map((letter, k) => ((i >> k) & 1 ? letter.toUpperCase() : letter.toLowerCase())).join('')
  for (const [name, isEmail] of [
    ['racer', false],
    ['Жанна', false],
    ['racer@example.com', true],
  ] as const) {
    const before = await one.kernel.query(uid).count()
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => {
        const own = isEmail
          ? { username: `own${i}`, email: spell(name, i) }
          : { username: spell(name, i), email: `${name.length}e${i}@x.io` }
        return (i % 2 === 0 ? one : two).post('auth/local/register', { ...own, password: 'a-secret' })
      }),
    )
    t.equal(answers.filter(answer => answer.status === 200).length, 1, name)
    t.ok(
      answers.every(({ status, body }) => status === 200 || body.error.message === taken),
      name,
    )
    t.equal(await one.kernel.query(uid).count(), before + 1)
  }
  const ids = await Promise.all(['first', 'second'].map(async name => (await one.user(name)).id))
  const renames = await Promise.allSettled(
    ids.map((id, i) => (i === 0 ? one : two).kernel.query(uid).update(id, { data: { username: spell('renamed', i) } })),
  )
  t.equal(renames.filter(({ status }) => status === 'fulfilled').length, 1, 'two changes')
})

t.test('accounts of an old table that differ in case', async t => {
  const { kernel, user, put, post, logIn, get } = await start(t)
  // As v4 has made them, on any database: the collation of some columns would take them for equal.
  const isEqualHere = await hasFoldingColumn(kernel)
  const names = isEqualHere ? ['Old'] : ['Old', 'OLD', 'old']
  const users = []
  for (const [i, username] of names.entries()) {
    const { id } = await user(`made${i}`)
    await kernel
      .knex('up_users')
      .where({ id })
      .update({ username, email: `Old${i}@Example.com` })
    users.push({ id, username, password: `made${i}-secret` })
  }
  for (const { id, username, password } of users) {
    const jwt = await logIn(username, password)
    t.equal((await get('users/me', jwt)).body.id, id, `${username} logs in by the exact name`)
    t.equal((await put(`users/${id}`, { username, blocked: undefined }, jwt)).status, 200, 'and is written with it')
    t.equal((await put(`users/${id}`, { username, password }, jwt)).status, 200)
  }
  refused(t, await post('auth/local/register', { username: 'oLD', email: 'x@x.io', password: 'a-secret' }), 400, taken)
  const body = { username: 'another', email: 'old0@example.com', password: 'a-secret' }
  refused(t, await post('auth/local/register', body), 400, taken)
})

/** Whether the column takes two names in different case for one. */
async function hasFoldingColumn({ knex }: Awaited<ReturnType<typeof start>>['kernel']): Promise<boolean> {
  const [row] = await knex('up_roles').where({ type: 'PUBLIC' }).select('id')
  return row !== undefined
}

const isMysql = testClient() === 'mysql'

t.test('columns that are not in Unicode', { skip: isMysql ? false : 'MySQL alone has such columns' }, async t => {
  const database = await freshDatabase(testClient())
  t.teardown(() => database.drop())
  const { app, kernel } = await start(t, { database: database.config })
  await kernel.knex.raw('ALTER TABLE up_users MODIFY username VARCHAR(255) CHARACTER SET latin1')
  await app.close()
  const { post, user } = await start(t, { database: database.config })
  for (const name of ['mia', 'Müller', 'assi']) await user(name, { email: `${name.length}@example.com` })
  const register = (username: string) =>
    post('auth/local/register', { username, email: 'other@example.com', password: 'a-secret' })
  for (const name of ['MIA', 'MÜLLER', 'ASSI']) refused(t, await register(name), 400, taken)
  t.equal((await register('Анна')).status, 400, 'the column cannot hold it')
  t.equal((await register('nina')).status, 200)
})

t.test('every letter is found in the case that SQL cannot fold', async t => {
  const lowerAscii = (text: string) => text.replace(/[A-Z]/g, one => one.toLowerCase())
  const missed: string[] = []
  const check = (letter: string) => {
    for (const name of [letter, letter.toUpperCase(), letter.toLowerCase()].map(one => normalizeName(`a${one}b`))) {
      const wanted = foldName(`A${letter}B`)
      const folded = replacements(wanted).reduce((text, [from, to]) => text.replaceAll(from, to), lowerAscii(name))
      if (folded !== wanted) missed.push(`${name}: ${folded} is not ${wanted}`)
    }
  }
  // Those in which case is not one letter for one, and some of the others.
  for (const [first, last] of [
    [0x80, 0x587],
    [0x1c80, 0x1c8a],
    [0x1e90, 0x1ffc],
  ] as const)
    for (let code = first; code <= last; code++) check(String.fromCodePoint(code))
  for (let i = 0; i < 500; i++) {
    const letter = String.fromCodePoint(randomInt(0x600, 0x1ffff))
    if (/\p{L}/u.test(letter)) check(letter)
  }
  t.strictSame(missed, [])
})

/** So many letters, each of which has another case. */
const manyLetters = (count: number) => {
  const letters: string[] = []
  for (let code = 0xc0; letters.length < count; code++) {
    const letter = normalizeName(String.fromCodePoint(code))
    if (letter.length === 1 && letter.toUpperCase() !== letter && foldName(letter) === letter) letters.push(letter)
  }
  return letters.join('')
}

t.test('a long name does not change how other names are found', async t => {
  const { post } = await start(t)
  let made = 0
  const register = async (username: string) => {
    const sent = { username, email: `n${++made}@example.com`, password: 'a-secret' }
    const { status, body } = await post('auth/local/register', sent)
    return status === 200 ? 200 : body.error.message
  }
  t.equal(await register('Straße'), 200)
  const longest = manyLetters(255)
  t.equal(await register(longest), 200)
  t.equal(await register(longest.toUpperCase()), taken, 'the longest name that all databases store')
  // SQLite alone stores them.
  for (const count of [400, 401, 1024]) await register(manyLetters(count))
  t.equal(await register('STRASSE'), taken)
})
