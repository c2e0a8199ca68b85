// A large model: types of its size do not make the compiler give up, or take much longer.

import { createKernel } from '@plinth/kernel'
import t from 'tap'
import { describeModel, writeTypes } from '../src/index.ts'
import { compile } from './fixtures/compiled.ts'

const uid = (i: number) => `api::type${i}.type${i}`
const component = (i: number) => `part.c${i}`
const numbers = (length: number) => Array.from({ length }, (_, i) => i)
const types = numbers(53)
const parts = numbers(35)

/** Each type is linked with eight others, and has components and a zone of all components. */
const contentTypes = types.map(i => ({
  collectionName: `type${i}s`,
  info: { singularName: `type${i}`, pluralName: `type${i}s`, displayName: `Type ${i}` },
  attributes: Object.fromEntries([
    ...numbers(20).map(n => [`text${n}`, { type: 'string', required: n === 0 }]),
    ...numbers(8).map(n => [
      `to${n}`,
      { type: 'relation', relation: 'manyToMany', target: uid((i + n + 1) % types.length) },
    ]),
    ['part', { type: 'component', component: component(i % parts.length) }],
    ['zone', { type: 'dynamiczone', components: parts.map(component) }],
  ]) as never,
}))

/** Each component has the next one, so that they are nested 35 deep. */
const components = Object.fromEntries(
  parts.map(i => [
    component(i),
    {
      collectionName: `components_part_c${i}s`,
      attributes: {
        label: { type: 'string' },
        to: { type: 'relation', relation: 'oneToOne', target: uid(i) },
        ...(i + 1 < parts.length && { inner: { type: 'component', component: component(i + 1), repeatable: true } }),
      } as never,
    },
  ]),
)

t.test('53 types and 35 nested components', async t => {
  const kernel = await createKernel({
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    contentTypes,
    components,
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  })
  t.teardown(() => kernel.close())
  const text = writeTypes(describeModel(kernel))
  const program = 'large-model.ts'
  const report = await compile(t, { types: text, program, words: ['--extendedDiagnostics'] })
  t.notMatch(report, /error TS/)
  const instantiations = Number(/Instantiations:\s+(\d+)/.exec(report)?.[1])
  t.ok(instantiations > 0 && instantiations < 2_000_000, `${instantiations} instantiations of types`)
})
