// Configuration files and small things that stand alone: env, layers of config, dates, nearest words, unsafe patterns.

import t from 'tap'
import { loadConfig } from '../../src/boot/config.ts'
import { checkConfigNames } from '../../src/boot/config-names.ts'
import { env, nearest } from '../../src/index.ts'
import { compileRegex, findRegexFault } from '../../src/model/regex.ts'
import { parseDate, parseDatetime, parseTime } from '../../src/model/values.ts'
import { isoText } from '../../src/model/dates.ts'
import { folder } from '../fixtures/boot.ts'

t.test('env (B-10.46)', async t => {
  const set = (text: string | undefined) => {
    if (text === undefined) delete process.env.PLINTH_TEST
    else process.env.PLINTH_TEST = text
  }
  t.teardown(() => set(undefined))
  const key = 'PLINTH_TEST'
  const rows: readonly (readonly [text: string | undefined, read: () => unknown, value: unknown])[] = [
    ['x', () => env(key), 'x'],
    ['', () => env(key, 'y'), ''],
    [undefined, () => env(key), undefined],
    [undefined, () => env(key, 'y'), 'y'],
    ['12px', () => env.int(key), 12],
    [undefined, () => env.int(key, 7), 7],
    ['1.5', () => env.float(key), 1.5],
    ['true', () => env.bool(key), true],
    ['1', () => env.bool(key, true), false],
    [undefined, () => env.bool(key, true), true],
    ['{"a":[1]}', () => env.json(key), { a: [1] }],
    ['[a, "b",c ]', () => env.array(key), ['a', 'b', 'c']],
    ['a', () => env.array(key), ['a']],
    ['2024-01-02', () => env.date(key), new Date('2024-01-02')],
    ['b', () => env.oneOf(key, ['a', 'b'], 'a'), 'b'],
    ['c', () => env.oneOf(key, ['a', 'b'], 'a'), 'a'],
  ]
  for (const [text, read, value] of rows) {
    set(text)
    t.same(read(), value, `${text}: ${read}`)
  }
  set('{')
  t.throws(() => env.json(key), { message: /PLINTH_TEST is not JSON/ })
})

t.test('config files, with those of the environment laid over them', async t => {
  const mode = process.env.NODE_ENV ?? 'development'
  const dir = await folder(t, {
    'package.json': { type: 'module' },
    'config/server.js': 'export default ({ env }) => ({ port: env.int("NO_PORT", 1337), http: { a: 1, b: [1, 2] } })',
    [`config/env/${mode}/server.json`]: { http: { b: [3], c: 4 } },
    'config/api.json': { rest: { prefix: '/v1' } },
    'config/env/elsewhere/api.json': { rest: { prefix: '/no' } },
    'config/plain.js': 'export const host = "h"',
  })
  t.same(await loadConfig(dir, 'server'), { port: 1337, http: { a: 1, b: [3], c: 4 } })
  t.same(await loadConfig(dir, 'api'), { rest: { prefix: '/v1' } })
  t.match(await loadConfig(dir, 'plain'), { host: 'h' })
  t.same(await loadConfig(dir, 'nothing'), {})
})

t.test('a file in config/ that is nearly one of those that are read', async t => {
  const check = async (...files: string[]) => {
    const dir = await folder(t, Object.fromEntries(files.map(name => [`config/${name}`, ''])))
    const warnings: string[] = []
    await checkConfigNames(dir, 'test', message => warnings.push(message))
    return warnings
  }
  const refused: readonly (readonly [file: string, message: string])[] = [
    ['databse.json', 'did you mean config/database.json?'],
    ['plugin.ts', 'did you mean config/plugins.ts?'],
    ['Server.js', 'did you mean config/server.js?'],
    ['plugins.yml', ': ts, js, mjs, cjs, json are'],
    ['env/test/databases.ts', 'did you mean config/env/test/database.ts?'],
  ]
  for (const [file, hint] of refused) {
    const message = `config/${file}: is not read${hint.startsWith(':') ? '' : ', '}${hint}`
    await t.rejects(check(file), { name: 'StartError', message }, file)
  }
  const accepted = ['middlewares.js', 'admin.js', 'cron-tasks.ts', 'services.ts', 'README.md', 'database.example.js']
  t.same(await check(...accepted, 'env/other/databse.ts'), [])
  t.same(await check('plugins.ts', 'plugin.ts', 'plugins.yml'), [], 'beside the right one it is something else')
  t.same(await check('app.ts'), ['config/app.ts: is not read, did you mean config/api.ts?'], 'may be a word of its own')
  t.same(await check(), [])
})

t.test('a file in config/ without a default export', async t => {
  const dir = await folder(t, {
    'package.json': { type: 'module' },
    'config/plugins.js': 'export const plugins = { rest: true }',
    'config/server.js': 'export const config = { port: 1 }',
  })
  const end = 'has no default export; "export default" is meant where it says "export const'
  await t.rejects(loadConfig(dir, 'plugins'), { message: new RegExp(`plugins\\.js: ${end} plugins"`) })
  await t.rejects(loadConfig(dir, 'server'), { message: new RegExp(`server\\.js: ${end} config"`) })
})

t.test('dates and times', async t => {
  const day = Date.UTC(2024, 1, 29)
  const taken: readonly (readonly [sent: unknown, ms: number])[] = [
    ['2024-02-29', day],
    ['2024-02', Date.UTC(2024, 1)],
    ['2024-02-29T01', day + 3_600_000],
    ['2024-02-29T01:02', day + 3_720_000],
    ['2024-02-29 01:02:03', day + 3_723_000],
    ['2024-02-29T01:02:03.5Z', day + 3_723_500],
    ['2024-02-29T01:02:03,123456', day + 3_723_123],
    ['2024-02-29T01:02:03+0100', day + 123_000],
    ['2024-02-29T00:00:00-05:30', day + 19_800_000],
    ['2024-02-29t01:02:03z', day + 3_723_000],
    [String(day), day],
    [day, day],
    [new Date(day), day],
    [-1, -1],
    ['-86400000', -86_400_000],
  ]
  for (const [sent, ms] of taken) t.equal(parseDatetime(sent), ms, String(sent))
  for (const sent of [
    '',
    'x',
    '2024',
    '12',
    '2024-13-01',
    '2023-02-29',
    '2024-01-01T25:00',
    9e15,
    Number.NaN,
    null,
    {},
    true,
  ])
    t.throws(
      () => parseDatetime(sent),
      { message: 'Invalid format, expected a timestamp or an ISO date' },
      String(sent),
    )
  t.equal(parseDate('2024-02-29T23:59:59-05:00'), '2024-02-29')
  for (const sent of ['2024-2-9', '29.02.2024', 5, null, '2024-02-29x'])
    t.throws(() => parseDate(sent), { message: /^Invalid format/ })
  t.equal(parseTime('23:59:59.9'), '23:59:59.900')
  for (const sent of [5, null, new Date(0)])
    t.throws(() => parseTime(sent), { message: /^Expected a string, got an? / })
  const wrong: number[] = []
  for (let ms = -3e12; ms < 9e12; ms += 123_456_789_01) if (isoText(ms) !== new Date(ms).toISOString()) wrong.push(ms)
  t.same(wrong, [])
  for (const ms of [-1, 0, 1, 253402300800000]) t.equal(isoText(ms), new Date(ms).toISOString())
})

t.test('nearest words', async t => {
  const words = ['string', 'relation', 'manyToOne', 'manyToMany']
  const rows = [
    ['strng', 'string'],
    ['STRING', 'string'],
    ['manyToOen', 'manyToOne'],
    ['x', null],
    ['relatiom', 'relation'],
    ['blob', null],
  ] as const
  for (const [word, expected] of rows) t.equal(nearest(word, words), expected, word)
})

t.test('no value stops the server by way of a pattern', async t => {
  const matches = compileRegex('^(a+)+$')
  t.ok(matches('aaaa'))
  const start = performance.now()
  t.notOk(matches(`${'a'.repeat(50)}!`))
  t.ok(performance.now() - start < 2000)
  t.equal(findRegexFault('['), 'Invalid regular expression: /[/: Unterminated character class')
  t.equal(findRegexFault(5), 'must be text')
  t.equal(findRegexFault('^[a-z]+$'), null)
})
