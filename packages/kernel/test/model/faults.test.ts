// Faults of values against a schema, as settings report them.

import t from 'tap'
import { findFaults, Type } from '../../src/index.ts'

t.test('faults of values that a schema has one form for, or several', async t => {
  const only = Type.Object({ kind: Type.Literal('a') })
  t.same(findFaults(only, { kind: 'a' }), [])
  t.same(findFaults(only, { kind: 'b' }), [{ path: 'kind', message: 'must be "a"' }])
  const several = Type.Object({ size: Type.Union([Type.Integer({ maximum: 9 }), Type.Array(Type.String())]) })
  const rows = [
    [true, 'size', 'must be a whole number or a list'],
    [10, 'size', 'must be at most 9'],
    [['a', 5], 'size.1', 'must be a string'],
  ] as const
  for (const [size, path, message] of rows) t.same(findFaults(several, { size }), [{ path, message }])
})
