// Settings of v4 projects that are read as text, because they cannot be run without v4.

import t from 'tap'
import { readSettings } from '../src/settings.ts'

t.test('forms of settings', async t => {
  const cases: readonly (readonly [string, unknown])[] = [
    ["module.exports = ({ env }) => ({ port: env.int('PORT', 1337), host: env('HOST') })", { port: 1338, host: 'h' }],
    [
      "import path from 'path'\nexport default ({ env }) => ({ file: path.join(__dirname, '..', '..', env('F', 'a.db'),) })",
      { file: /old\/a\.db$/ },
    ],
    ["const x = require('x-plugin')\nmodule.exports = { a: x(), b: 2, c: [1, x.y] }", { b: 2, c: [1, undefined] }],
    [
      "export default ({ env }) => {\n const client = env('C', 'pg')\n const all = { pg: { port: 1 }, my: { port: 2 } }\n return { connection: { client, ...all[client] } }\n}",
      { connection: { client: 'pg', port: 1 } },
    ],
    [
      "module.exports = ({ env }) => { if (env('NODE_ENV') === 'production') return { a: 1 }\n return { a: 2 } }",
      { a: 2 },
    ],
    ["const { defaults } = require('./defaults')\nmodule.exports = { ...defaults, b: defaults.a + 1 }", { a: 1, b: 2 }],
    [
      "import { defaults as d } from './defaults'\nexport default { b: `DOLLAR{d.a}x`, c: d.none ?? 'y', d: !d.a || 3 } satisfies object",
      { b: '1x', c: 'y', d: 3 },
    ],
    [
      'const all = { a: 1 }\nall.b = 2\nif (process.env.HOST) all.c = process.env.HOST\nexport = all',
      { a: 1, b: 2, c: 'h' },
    ],
    ["export default { list: 'a,b'.split(','), on: process.env.NO_SUCH ? 1 : 2 }", { list: ['a', 'b'], on: 2 }],
    [
      "module.exports = ({ env }) => ({ list: env.array('LIST', []), on: env.bool('ON', true), n: env.json('J', { a: 1 }) })",
      { list: [], on: true, n: { a: 1 } },
    ],
    ["const f = n => (n ? f(n) : 1)\nmodule.exports = { a: f(1), b: strapi.config.get('x'), c: 3 }", { c: 3 }],
  ]
  for (const [text, expected] of cases) {
    const dir = t.testdir({
      old: {
        'tsconfig.json': '{}',
        config: {
          'own.ts': `\uFEFF${text.replace('DOLLAR', '$').replaceAll('\n', '\r\n')}`,
          'defaults.js': 'exports.defaults = { a: 1 }',
        },
      },
    })
    t.match(
      readSettings({ dir: `${dir}/old`, name: 'own', env: { PORT: '1338', HOST: 'h' } }),
      expected as object,
      text,
    )
  }
})

t.test('environments, lists, and what cannot be read', async t => {
  const dir = t.testdir({
    config: {
      'a.json': '{ "x": { "y": 1, "z": 2 } }',
      'list.js': "module.exports = ['strapi::errors', { name: 'strapi::cors' }]",
      'broken.js': 'module.exports = {',
      'text.js': "module.exports = 'text'",
      env: {
        development: { 'a.js': 'module.exports = { x: { y: 3 } }' },
        production: { 'a.js': 'module.exports = { x: 1 }' },
      },
    },
  })
  const read = (name: string, env = {}) => readSettings({ dir, name, env })
  t.same(read('a'), { x: { y: 3, z: 2 } })
  t.same(read('a', { NODE_ENV: 'production' }), { x: 1 })
  t.same(read('list'), ['strapi::errors', { name: 'strapi::cors' }])
  for (const name of ['none', 'text']) t.equal(read(name), null)
  t.same(read('broken') ?? {}, {})
})

t.test('nothing of the code reaches the process', async t => {
  const dir = t.testdir({
    config: {
      'a.js':
        "process.exit(1)\nconst { writeFileSync } = require('node:fs')\nwriteFileSync('x', '')\nglobalThis.broken = 1\n({}).constructor.constructor('process.exit(1)')()\nmodule.exports = { a: {}.constructor, b: 'x'.constructor, c: 1, __proto__: { d: 1 } }",
    },
  })
  t.same(readSettings({ dir, name: 'a', env: {} }), { c: 1 })
  t.notOk('broken' in globalThis)
})
