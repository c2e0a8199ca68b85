// Query strings that are nested without qs give what qs gives.

import fc from 'fast-check'
import qs from 'qs'
import t from 'tap'
import { nestPlain } from '../src/nest.ts'

const options = { arrayLimit: 100, strictNullHandling: true }
const nestByQs = (text: string) => qs.parse(text, { ...options, depth: 20, parameterLimit: 1000 })

const name = fc.oneof(
  fc.constantFrom('a', 'b', 'filters', '$or', 'title', '0', '1', '2', '7', '99', '100', '101', '250', '01', '-1', '_q'),
  fc.constantFrom('toString', '__proto__', 'constructor', 'x.y', 'é', '', '%5B', '100000000', '4294967295'),
)
const value = fc.oneof(
  fc.constantFrom('', 'x', '1', 'a+b', '%C3%A9', '%26', 'a=b', '[1]', 'null'),
  fc.string().map(encodeURIComponent),
)
const key = fc
  .tuple(fc.constantFrom('a', 'b', 'filters', 'sort', '0', 'toString'), fc.array(name, { maxLength: 4 }))
  .map(([first, rest]) => first + rest.map(one => `[${one}]`).join(''))
const pair = fc.tuple(key, fc.option(value)).map(([left, right]) => {
  return right === null ? left : `${left}=${right}`
})
/** Without names that are never plain, so that most texts are nested here. */
const plain = fc
  .tuple(
    fc.constantFrom('a', 'b', 'filters'),
    fc.array(fc.constantFrom('a', '$eq', '0', '1', '2', '9', '100', '101', '300'), { maxLength: 3 }),
    fc.constantFrom('', 'x', 'a+b', '%C3%A9'),
  )
  .map(([first, rest, right]) => `${first}${rest.map(one => `[${one}]`).join('')}=${right}`)

/** Order of keys and gaps of lists count, prototypes do not. */
const told = (made: unknown) => JSON.stringify(made)

t.test('any pairs', async t => {
  const isSame = (pairs: readonly string[]) => {
    const nested = nestPlain(pairs, options)
    return nested === null || told(nested) === told(nestByQs(pairs.join('&')))
  }
  fc.assert(fc.property(fc.array(pair, { minLength: 1, maxLength: 12 }), isSame), { numRuns: 20_000 })
  t.pass()
})

t.test('plain pairs', async t => {
  let nested = 0
  const isSame = (pairs: readonly string[]) => {
    const made = nestPlain(pairs, options)
    if (made !== null) nested++
    return made === null || told(made) === told(nestByQs(pairs.join('&')))
  }
  const texts = fc.uniqueArray(plain, { minLength: 1, maxLength: 30, selector: one => one.split('=')[0] })
  fc.assert(fc.property(texts, isSame), { numRuns: 20_000 })
  t.ok(nested > 5000, `${nested} of 20,000 were nested`)
})

t.test('many pairs', async t => {
  const shapes: readonly ((k: number) => string)[] = [
    k => `a[${k % 100}][${k}]=`,
    k => `populate[${k}]=x${k}`,
    k => `filters[$or][${k % 90}][f${k}][$eq]=${k}`,
    k => `x${k}`,
  ]
  for (const shape of shapes) {
    const pairs = Array.from({ length: 990 }, (_, k) => shape(k))
    t.equal(told(nestPlain(pairs, options)), told(nestByQs(pairs.join('&'))), shape(1))
  }
})
