/**
 * Law: the folders of the GraphQL API have an order, which is that of an operation on its way. No file imports from a
 * folder above its own, and no files import each other in a circle, types included.
 */

import { join } from 'node:path'
import t from 'tap'
import { circles, layerOf, sourcesBelow, upward } from './imports.ts'

/** Folders and files of `src`, the lowest first, and what each of them contains. */
const layers: Readonly<Record<string, string>> = {
  'options.ts': 'options of v4 and of mercurius that are read elsewhere',
  'config.ts': 'the options and the settings',
  schema: 'the generated schema and the meanings of its fields',
  operation: 'operations: their texts, variables, selections, questions and errors',
  answer: 'rows as the text of an answer, or as objects with resolvers',
  execution: 'operations that run: reads, writes, budgets, and the choice of the way',
  transport: 'HTTP: bodies, files, the endpoint and the explorer; the service for subscriptions',
  extension: 'what applications and plugins change in the schema',
  'mount.ts': 'everything together, on a server',
  'commands.ts': 'commands, which have no server',
  'index.ts': 'the plugin and the public exports',
}
const order = Object.keys(layers)
const files = await sourcesBelow(join(import.meta.dirname, '../../packages/graphql/src'))

t.test('every file is in a layer, and every layer has files', async t => {
  t.ok(files.length > 50, 'there is a package to look at')
  t.same([...new Set(files.map(({ path }) => layerOf(path)))].sort(), [...order].sort())
})

t.test('no import leads to a higher layer', async t => {
  t.same(
    files.flatMap(file => upward(file, order)),
    [],
  )
})

t.test('no files import each other in a circle', async t => {
  t.same(circles(files), [])
})

t.test('what counts as a circle', async t => {
  const file = (path: string, ...names: string[]) => ({
    path,
    text: names.map(name => `import type { X } from '${name}'\n`).join(''),
  })
  const three = [file('a.ts', './b/c.ts'), file('b/c.ts', '../d.ts'), file('d.ts', './a.ts', './e.ts'), file('e.ts')]
  t.same(circles(three), [['a.ts', 'b/c.ts', 'd.ts']])
})
