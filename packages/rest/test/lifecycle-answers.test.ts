// Entries that lifecycles receive become JSON in another way than rows (entries.ts, serialize.ts), with equal answers.

import t from 'tap'
import { openBoth } from './fixtures/both.ts'

const everything = [
  'populate=*',
  'populate[branch][populate][leaf][populate]=*&populate[branch][populate][leaves][populate]=*',
  'populate[branches][populate][leaf][populate]=*',
  'populate[self][populate]=*',
  'populate[cover]=*&populate[pictures]=*&populate[none]=*&populate[empty]=*&populate[bare]=*',
  'populate[many][count]=true',
  'fields[0]=text&fields[1]=data&populate[one][fields]=label',
  'fields[0]=id',
  'sort=id:desc&pagination[limit]=1',
  'filters[id]=99',
]

t.test('answers with and without lifecycles are equal', async t => {
  const both = await openBoth(t)
  const text = await both('/api/things?populate=*')
  t.match(text, /"many":\{"data":\[\{"id":2,"attributes":\{"label":"y"/, 'there is something to compare')
  t.notMatch(text, /secret/)
  for (const query of everything) {
    await both(`/api/things?${query}`)
    await both(`/api/things/1?${query}`)
  }
})

t.test('meta of entries', async t => {
  const both = await openBoth(t, true)
  const text = await both('/api/things')
  t.match(text, '"meta":{"labels":["y","x"],"number":2}')
  t.match(text, '"meta":{"labels":[],"number":0}')
  await both('/api/things/1')
})

t.test('relations in zones', async t => {
  const both = await openBoth(t)
  await both('/api/things?populate[zone][populate]=*')
  await both('/api/things?populate[zone][on][a.branch][populate][leaf][populate]=*')
})

t.test('relations to any type', async t => {
  const both = await openBoth(t)
  await both('/api/things?populate[notes][populate]=*')
  await both('/api/notes?populate=*')
  await both('/api/notes?populate[about][populate]=one,many')
})
