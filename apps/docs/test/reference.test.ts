// The pages of the reference are those of the sources.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../src/contents.ts'
import { hooksIn, hooksPage } from '../src/reference/hooks.ts'
import { rowsOf, settingsPage } from '../src/reference/settings.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const writes = '`npx pnpm@10 --filter docs reference` writes it'

t.test('docs/hooks.md', t => {
  t.same(hooksIn("  interface Hooks {\n    /**\n     * Runs\n     * late.\n     */\n    'a:b'(x: X): void\n  }\n"), [
    { name: 'a:b', signature: "'a:b'(x: X): void", meaning: 'Runs late.' },
  ])
  t.equal(read('docs/hooks.md'), hooksPage(), writes)
  const names = [...hooksPage().matchAll(/^### (\S+)$/gm)].map(([, name]) => name)
  t.ok(names.includes('onCommit') && names.includes('graphql:write'))
  t.end()
})

t.test('docs/settings.md', async t => {
  const below = { type: 'object', properties: { c: { type: 'integer', minimum: 1 } }, required: ['c'] }
  const schema = { properties: { a: { const: 'x', default: 'x' }, b: { patternProperties: { '': below } } } }
  t.same(rowsOf(schema), [
    { key: 'a', values: '`x`', default: '`x`' },
    { key: 'b', values: 'any value', default: '' },
    { key: 'b.<name>.c', values: 'a whole number, at least 1', default: 'needed' },
  ])
  const page = await settingsPage()
  t.equal(read('docs/settings.md'), page, writes)
  const plugins = readdirSync(join(root, 'packages')).filter(name => {
    const path = `packages/${name}/src/index.ts`
    return existsSync(join(root, path)) && /^export default definePlugin\(/m.test(read(path))
  })
  t.same(
    plugins.filter(name => !page.includes(`packages/${name}/README.md`) && !page.includes(`## ${name}\n`)),
    [],
    'has all plugins; a new one is a development dependency of this package',
  )
})
