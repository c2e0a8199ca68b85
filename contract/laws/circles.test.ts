/**
 * Law: no files import each other in a circle, types included, except those that are listed with a reason. In a circle
 * no file can be understood, tested or moved without the others.
 */

import { matchesGlob } from 'node:path'
import t from 'tap'
import { circles, filesOf } from './imports.ts'

/** Circles that stay, each with its reason; the pattern matches all of its files. */
const accepted: Readonly<Record<string, string>> = {
  'packages/kernel/src/boot/{action-names,actions,kernel,policies,policy}.ts':
    'a policy receives the kernel, which has the policies and the actions that name them',
  'packages/kernel/src/plan/{node,populate}.ts': 'a node has branches, and a branch has nodes',
  'packages/kernel/src/query/{populate,selection}.ts': 'a selection populates, and what is populated has a selection',
  'packages/kernel/src/sql/{branch,compile,meta}.ts': 'a node has branches, and a branch has nodes',
  'packages/studio/src/{form/{field,rows},inputs/{registry,component/{index,single},items/{item-card,item-list},relation/{index,new-entry},zone/index}}.{ts,tsx}':
    'a form has inputs, and the inputs of components, zones and new entries have forms',
  'packages/server/src/budget/{budget,share}.ts': 'a share claims from the budget that has opened it',
}

const isIn = (patterns: Readonly<Record<string, string>>, circle: readonly string[]) =>
  Object.keys(patterns).some(pattern => circle.every(path => matchesGlob(path, pattern)))

t.test('what counts', async t => {
  const file = (path: string, ...imports: string[]) => ({
    path,
    text: imports.map(one => `import type { X } from '${one}'\n`).join(''),
  })
  const files = [
    file('a/one.ts', './two.ts', './three.ts'),
    file('a/two.ts', '../b/four.ts'),
    file('a/three.ts', './two.ts', './three.ts'),
    file('b/four.ts', '../a/one.ts', 'node:fs'),
    file('b/five.ts', './four.ts'),
  ]
  t.same(circles(files), [['a/one.ts', 'a/three.ts', 'a/two.ts', 'b/four.ts']])
  t.same(circles(files.slice(0, 3)), [])
})

t.test('no files import each other in a circle', async t => {
  const files = await filesOf(['{packages,apps,acceptance,bench,contract,release}/**/*.{ts,tsx}'])
  t.ok(files.length > 1000, `${files.length} files`)
  const groups = circles(files)
  t.same(
    groups.filter(one => !isIn(accepted, one)),
    [],
  )
  const unused = Object.keys(accepted).filter(pattern => !groups.some(one => isIn({ [pattern]: '' }, one)))
  t.same(unused, [], 'the list names none that are gone')
})
