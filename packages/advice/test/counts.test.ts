// What a search needs, and the bounds of the counts.

import type { ContentType, ListSearch } from '@plinth/kernel'
import t from 'tap'
import { Counts } from '../src/counts.ts'
import { namesOf, needsOf } from '../src/need.ts'
import { PresentIndexes } from '../src/present-indexes.ts'

const scalar = (name: string, storage = 'string') =>
  [name, { kind: 'scalar', name, column: name, scalar: { storage } }] as const
const type = {
  uid: 'api::page.page',
  pluralName: 'pages',
  table: 'pages',
  attributes: new Map([
    scalar('a'),
    scalar('b'),
    scalar('c'),
    scalar('d'),
    scalar('e'),
    scalar('text', 'text'),
    scalar('json', 'json'),
  ]),
} as unknown as ContentType
const findType = (uid: string) => (uid === type.uid ? type : undefined)

/** A search by the sort `a,b:desc` and filters `c`, `d>` and `e~`. */
function search(sort: string, filters = ''): ListSearch {
  const list = (text: string) => text.split(',').filter(Boolean)
  return {
    type,
    sort: list(sort).map(key => ({ path: key.replace(':desc', '').split('.'), isDescending: key.endsWith(':desc') })),
    filters: list(filters).map(key => ({
      path: key.replace(/[>~]$/, '').split('.'),
      uid: type.uid,
      comparison: key.endsWith('>') ? 'range' : key.endsWith('~') ? 'other' : 'equal',
    })),
    hasOtherConditions: false,
  }
}

const needed = (sort: string, filters?: string) =>
  needsOf(search(sort, filters), findType).map(one => namesOf(one).join())

t.test('an index begins with what is compared with a value, and goes on with the sort', async t => {
  const cases: [sort: string, filters: string, names: string[]][] = [
    ['a', '', ['a']],
    ['a,b:desc', '', ['a,b:desc']],
    ['a:desc', '', ['a:desc']],
    ['a,id', '', ['a']],
    ['a:desc,id:desc', '', ['a']],
    ['a,id:desc', '', ['a:desc']],
    ['id', '', []],
    ['', '', []],
    ['b', 'a', ['a,b']],
    ['a', 'a', ['a']],
    ['', 'b,a', ['a,b']],
    ['', 'b>', ['b']],
    ['', 'a,b>', ['a,b']],
    ['c', 'a,b>', ['a,c']],
    ['', 'a~', []],
    ['b', 'a~', ['b']],
    ['a', 'id', []],
    ['other.a', '', []],
    ['a,other.a', '', []],
    ['text', '', []],
    ['json', 'json', []],
    ['', 'other.b', ['b']],
    ['a', 'other.id', []],
    ['e', 'a,b,c,d', ['a,b,c,e']],
  ]
  for (const [sort, filters, names] of cases) t.same(needed(sort, filters), names, `${sort} | ${filters}`)
})

/** The indexes of pages, each as `name: column, column desc`. */
function indexes(...texts: string[]): PresentIndexes {
  const list = texts.map(text => {
    const [name = '', columns = '', fault] = text.split(':')
    const parts = columns.split(',')
    return {
      name,
      unique: false,
      columns: parts.map(one => one.replace(' desc', '')),
      descending: parts.filter(one => one.endsWith(' desc')).map(one => one.replace(' desc', '')),
      ...(fault === undefined ? {} : { fault: 'partial' as const }),
    }
  })
  const table = { name: 'pages', columns: new Map(), indexes: list, keys: [] }
  return new PresentIndexes(new Map([['pages', table]]), findType, name => name)
}

t.test('an index serves what it begins with', async t => {
  const serving = (sort: string, filters: string, ...texts: string[]) =>
    indexes(...texts).serving(needsOf(search(sort, filters), findType)[0]!)
  t.equal(serving('a', '', 'x:a,id'), 'x')
  t.equal(serving('a', '', 'x:b,a'), null)
  t.equal(serving('a:desc', '', 'x:a,id'), null)
  t.equal(serving('a:desc', '', 'x:a desc,id'), 'x')
  t.equal(serving('c', 'a,b', 'x:b,a,c'), 'x', 'in any order')
  t.equal(serving('c', 'a,b', 'x:a,c'), null)
  t.equal(serving('', 'a,b', 'x:b'), 'x', 'one of them finds few entries')
  t.equal(serving('', 'a>', 'x:a desc'), 'x')
  t.equal(serving('a', '', 'x:a,id:partial'), null)
})

t.test('searches are bounded, and what is taken begins again', async t => {
  const counts = new Counts(findType, indexes())
  const pages = Array.from({ length: 700 }, (_, i) => ({
    ...search('a'),
    type: { ...type, pluralName: `p${i}` } as ContentType,
  }))
  for (const one of pages) counts.add({ search: one, milliseconds: 1, total: null })
  const taken = counts.take()
  t.equal(taken.length, 500)
  t.same(counts.take(), [])
  counts.add({ search: pages[0]!, milliseconds: 2, total: 5 })
  counts.giveBack(taken)
  const again = counts.take()
  t.equal(again.length, 500)
  t.match(
    again.find(one => one.id === taken[0]!.id),
    { runs: 2, milliseconds: 3, total: 5 },
  )
})
