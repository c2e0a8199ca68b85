// The forms in which files of v4 export their settings.

import t from 'tap'
import { exportedValue, memberOf } from '../src/syntax.ts'

t.test('the object that a file exports', async t => {
  const forms = [
    'module.exports = { a: 1 }',
    'module.exports = { a: 1, };',
    "'use strict';\nmodule.exports = ({ env }) => ({ a: 1 })",
    'module.exports = async ({ env }) => { return { a: 1 } }',
    'module.exports = function ({ env }) { return { a: 1 } }',
    'function settings() { return { a: 1 } }\nmodule.exports = settings',
    'const settings = { a: 1 }\nexports = module.exports = settings',
    'const settings = () => { const own = { a: 1 }; return own }\nmodule.exports = settings',
    'exports.default = { a: 1 }',
    'module.exports.default = { a: 1 }',
    'export default { a: 1 }',
    'export default ({ env }) => ({ a: 1 })',
    'export default function ({ env }) { return { a: 1 } }',
    'export default async function settings({ env }: any) { return { a: 1 } }',
    'const settings = { a: 1 } as const\nexport default settings',
    'export const settings: Record<string, unknown> = { a: 1 }\nexport default settings',
    'const settings = { a: 1 }\nexport { settings as default }',
    'export default ({ a: 1 } satisfies Config)',
    'export default { a: 1 } as const satisfies Config',
    'export default ({ env }: { env: Env }): Config => ({ a: 1 }) as Config',
    'export default <Config>{ a: 1 }',
    'export default Object.freeze({ a: 1 })',
    'const settings = { a: 1 }\nexport = settings',
    '{ "a": 1 }',
    '// comment\n/* { b: 1 } */\nexport default /* here */ { a: 1 } // there\n',
  ]
  for (const form of forms)
    for (const text of [form, form.replaceAll('\n', '\r\n')]) {
      const value = exportedValue(text)
      t.equal(memberOf(value, 'a')?.type, 'NumericLiteral', text)
    }
  for (const other of ['exports.a = 1', 'export const a = 1', 'const a = { a: 1 }', 'export default merge({}, {})', ''])
    t.not(exportedValue(other)?.type, 'ObjectExpression', other)
})
