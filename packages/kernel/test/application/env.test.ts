// `env`, by which configuration files read variables of the environment (B-10.46).

import t from 'tap'
import { env } from '../../src/index.ts'

t.test('env converts variables and has defaults (B-10.46)', async t => {
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
  t.throws(() => env.json(key), { message: /PLINTH_TEST is not valid JSON/ })
})
