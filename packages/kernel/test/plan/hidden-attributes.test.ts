// Attributes that a plugin hides behave as private ones: they cannot be distinguished from attributes that do not exist.

import t, { type Test } from 'tap'
import { createContext, eq, type Kernel, openAccess, type PlanDraft, perRequest } from '../../src/index.ts'
import { boot, component, repositories, thrown, type, uid } from '../fixtures/boot.ts'

const to = (relation: string, name: string, more: object = {}) => ({
  type: 'relation',
  relation,
  target: uid(name),
  ...more,
})

/** Two types that link to each other, each with attributes called `open` and `shut`; `shut` is what is hidden or private. */
const contentTypes = (isPrivate: boolean) => {
  const shut = isPrivate ? { private: true } : {}
  return [
    type('book', {
      open: { type: 'string' },
      shut: { type: 'string', ...shut },
      shutRank: { type: 'integer', ...shut },
      writer: to('manyToOne', 'writer', { inversedBy: 'books' }),
      shutWriter: to('manyToOne', 'writer', shut),
      part: { type: 'component', component: 'a.part' },
      parts: { type: 'component', component: 'a.part', repeatable: true },
      shutPart: { type: 'component', component: 'a.part', ...shut },
      zone: { type: 'dynamiczone', components: ['a.part', 'a.other'] },
    }),
    type('writer', {
      open: { type: 'string' },
      shut: { type: 'string', ...shut },
      books: to('oneToMany', 'book', { mappedBy: 'writer' }),
      about: to('morphToMany', 'book', { target: undefined }),
    }),
  ]
}
const components = (isPrivate: boolean) => ({
  'a.part': component('a.part', {
    open: { type: 'string' },
    shut: { type: 'string', ...(isPrivate ? { private: true } : {}) },
    writer: to('oneToOne', 'writer'),
  }),
  'a.other': component('a.other', { note: { type: 'string' } }),
})

const isShut = (name: string) => name.startsWith('shut')

function hideShut(draft: PlanDraft): void {
  draft.hide(...[...draft.type.attributes.keys()].filter(isShut))
}

async function start(t: Test, isPrivate: boolean) {
  const kernel = await boot(t, {
    contentTypes: contentTypes(isPrivate),
    components: components(isPrivate),
    configure: ({ hooks }) => {
      hooks.on('prePlan', draft => {
        if (!isPrivate && draft.access.key === 'limited') hideShut(draft)
      })
    },
  })
  const of = repositories(kernel)
  const part = { open: 'part', shut: 'secret part', writer: 1 }
  for (const name of ['Ann', 'Bob']) await of('writer').create({ data: { open: name, shut: `secret ${name}` } })
  await of('book').create({
    data: {
      open: 'One',
      shut: 'secret One',
      shutRank: 77,
      writer: 1,
      shutWriter: 2,
      part,
      parts: [part, part],
      shutPart: part,
      zone: [
        { __component: 'a.part', ...part },
        { __component: 'a.other', note: 'n' },
      ],
    },
  })
  await of('book').create({ data: { open: 'Two', shut: 'secret Two', shutRank: 1, writer: 2 } })
  return { kernel, of }
}

const questions: readonly [name: string, params: object][] = [
  ['book', {}],
  ['book', { populate: '*' }],
  ['book', { populate: { writer: { populate: '*' }, parts: { populate: '*' }, zone: { populate: '*' } } }],
  ['book', { populate: ['shutWriter', 'shutPart', 'writer'] }],
  ['book', { populate: { shutWriter: { filters: { open: 'Ann' } } } }],
  ['book', { fields: ['open', 'shut'] }],
  ['book', { fields: ['*'] }],
  ['book', { filters: { shut: 'secret One' } }],
  ['book', { filters: { shut: { $startsWith: 's' } } }],
  ['book', { filters: { shut: { $null: true } } }],
  ['book', { filters: { shutWriter: 2 } }],
  ['book', { filters: { shutWriter: { open: 'Bob' } } }],
  ['book', { filters: { shutPart: { open: 'part' } } }],
  ['book', { filters: { $or: [{ open: 'One' }, { $not: { shutRank: 77 } }] } }],
  ['book', { filters: { writer: { shut: 'secret Ann' } } }],
  ['book', { filters: { writer: { books: { shut: 'secret One' } } } }],
  ['book', { filters: { writer: { books: { shutWriter: { id: 2 } } } } }],
  ['book', { filters: { part: { shut: 'secret part' } } }],
  ['book', { filters: { parts: { writer: { shut: 'secret Ann' } } } }],
  ['book', { sort: 'shut' }],
  ['book', { sort: 'shutWriter.open' }],
  ['book', { sort: 'writer.shut' }],
  ['book', { sort: 'part.shut:desc' }],
  ['book', { sort: ['open', 'writer.books.shutRank'] }],
  ['book', { _q: 'secret' }],
  ['book', { _q: '77' }],
  ['book', { _q: 'One' }],
  ['book', { populate: { writer: { fields: ['shut'] } } }],
  ['book', { populate: { writer: { filters: { shut: 'x' } } } }],
  ['book', { populate: { writer: { sort: 'shut' } } }],
  ['book', { populate: { writer: { populate: { books: { sort: 'shutWriter.open' } } } } }],
  ['book', { populate: { part: { fields: ['shut'] } } }],
  ['book', { populate: { zone: { fields: ['shut'] } } }],
  ['book', { populate: { zone: { on: { 'a.part': { filters: { shut: 'secret part' } } } } } }],
  ['writer', { populate: { books: { populate: ['shutPart', 'part'] } } }],
  ['writer', { populate: { books: { count: true, filters: { shut: 'secret One' } } } }],
  ['writer', { filters: { books: { part: { shut: 'secret part' } } } }],
]

t.test('a hidden attribute is like a private one, at every depth', async t => {
  const hidden = await start(t, false)
  const closed = await start(t, true)
  const ask = async ({ kernel }: { kernel: Kernel }, key: string, name: string, params: object) => {
    try {
      const query = kernel.query(uid(name), createContext({ ...openAccess, key }))
      return { page: await query.findPage({ ...params, pagination: { page: 1 } } as never) }
    } catch (error) {
      const { message, status, details, at } = error as Error & Record<string, unknown>
      return { message, status, details, at }
    }
  }
  /** Times of creation differ between the two databases. */
  const shown = (answer: unknown) => JSON.parse(JSON.stringify(answer).replaceAll(/"\w+At":"[^"]*"/g, '"at":0'))
  for (const [name, params] of questions) {
    const text = `${name} ${JSON.stringify(params)}`
    const answer = shown(await ask(hidden, 'limited', name, params))
    t.same(answer, shown(await ask(closed, 'limited', name, params)), text)
    t.notMatch(JSON.stringify(answer), /secret (?!x)/, text)
    const free = await ask(hidden, 'open', name, params)
    t.ok('page' in free, `${text} is a question of others`)
  }
})

t.test('a hidden attribute is like one that does not exist', async t => {
  const { kernel } = await start(t, false)
  const faultOf = async (params: object) => {
    const query = kernel.query(uid('book'), createContext({ ...openAccess, key: 'limited' }))
    const { message, status, at } = await thrown(t, () => query.findMany(params as never))
    return JSON.stringify({ message, status, at })
  }
  const forms: readonly ((name: string) => object)[] = [
    name => ({ filters: { [name]: 1 } }),
    name => ({ filters: { writer: { [name]: 1 } } }),
    name => ({ sort: name }),
    name => ({ sort: `writer.${name}` }),
    name => ({ fields: [name] }),
    name => ({ populate: { parts: { filters: { [name]: 1 } } } }),
    name => ({ populate: { zone: { fields: [name] } } }),
  ]
  for (const form of forms) {
    const unknown = (await faultOf(form('missing'))).replaceAll('missing', 'shut')
    t.equal(await faultOf(form('shut')), unknown)
    t.match(unknown, /Invalid parameter shut/)
  }
})

t.test('a node hides its own attributes only', async t => {
  const hides: Record<string, (draft: PlanDraft) => void> = {
    root: draft => draft.via === 'root' && draft.hide('shut'),
    populated: draft => draft.via === 'populate' && draft.type.uid === uid('writer') && draft.hide('shut'),
    ruled: draft => {
      if (draft.via === 'rule') hideShut(draft)
      if (draft.type.uid !== uid('book') || draft.via !== 'root') return
      draft.hide('shut', 'shutWriter')
      draft.where(
        eq(
          'shut',
          perRequest(() => 'secret One'),
        ),
      )
      draft.where({
        op: 'linked',
        attribute: 'shutWriter',
        where: eq(
          'shut',
          perRequest(() => 'secret Bob'),
        ),
      })
    },
    unknown: draft => draft.hide('open', 'shot'),
    id: draft => draft.hide('id'),
    none: draft => draft.hide(),
  }
  const kernel = await boot(t, {
    contentTypes: contentTypes(false),
    components: components(false),
    configure: ({ hooks }) => hooks.on('prePlan', draft => void hides[draft.access.key]?.(draft)),
  })
  const of = repositories(kernel)
  for (const name of ['Ann', 'Bob']) await of('writer').create({ data: { open: name, shut: `secret ${name}` } })
  await of('book').create({ data: { open: 'One', shut: 'secret One', writer: 1, shutWriter: 2 } })
  await of('book').create({ data: { open: 'Two', shut: 'secret Two', writer: 1, shutWriter: 2 } })
  const as = (key: string) => kernel.query(uid('book'), createContext({ ...openAccess, key }))
  const [book] = await as('root').findMany({ populate: 'writer' })
  t.notOk('shut' in book!)
  t.match(book, { writer: { shut: 'secret Ann' } })
  const [other] = await as('populated').findMany({ populate: 'writer', filters: { writer: { shut: 'secret Ann' } } })
  t.match(other, { shut: 'secret One' })
  t.notOk('shut' in (other!.writer as object))
  t.same(
    (await as('ruled').findMany()).map(one => one.open),
    ['One'],
    'rules may use what is hidden',
  )
  t.match(await thrown(t, () => as('unknown').findMany()), {
    code: 'PLINTH_ATTRIBUTE_UNKNOWN',
    message: 'api::book.book has no attribute "shot" to hide, did you mean "shut"?',
  })
  t.match(await thrown(t, () => as('id').findMany()), { code: 'PLINTH_ATTRIBUTE_UNKNOWN' })
  t.match(await as('none').findMany(), [{ shut: 'secret One' }, {}])
})

t.test('answers of writes leave hidden attributes out, and the data may have them', async t => {
  const { kernel, of } = await start(t, false)
  const books = kernel.query(uid('book'), createContext({ ...openAccess, key: 'limited' }))
  const made = await books.create({ data: { open: 'Three', shut: 'secret Three' } })
  t.match(made, { open: 'Three' })
  t.notOk('shut' in made)
  t.notOk('shut' in (await books.update(made.id, { data: { shutRank: 5 } }))!)
  t.match(await of('book').findOne(made.id), { shut: 'secret Three', shutRank: 5 })
  t.notOk('shut' in (await books.delete(made.id))!)
})
