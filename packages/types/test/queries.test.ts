// kernel.query is typed by the written types: what is right compiles, and each wrong use is an error.

import t from 'tap'
import { describeModel, writeTypes } from '../src/index.ts'
import { compile, startKernel } from './fixtures/compiled.ts'

t.test('kernel.query', async t => {
  const kernel = await startKernel(t)
  const types = writeTypes(describeModel(kernel))
  t.equal(await compile(t, { types, program: 'queries.ts' }), '')
})
