// The estimated cost of a query in rows: which page sizes are multiplied.

import t from 'tap'
import {
  createContext,
  createKernel,
  type Kernel,
  type LifecycleEvent,
  openAccess,
  type Params,
} from '../../src/index.ts'
import { boot, component, type, uid } from '../fixtures/boot.ts'

const many = (name: string) => ({ type: 'relation', relation: 'manyToMany', target: uid(name) })

const contentTypes = [
  type('tag', { label: { type: 'string' }, tags: many('tag') }),
  type('page', {
    title: { type: 'string' },
    parent: { type: 'relation', relation: 'manyToOne', target: uid('page') },
    tags: many('tag'),
    seo: { type: 'component', component: 'a.seo' },
    cards: { type: 'component', component: 'a.card', repeatable: true },
    zone: { type: 'dynamiczone', components: ['a.card', 'a.seo'] },
    about: { type: 'relation', relation: 'morphToOne' },
    all: { type: 'relation', relation: 'morphToMany' },
  }),
  type('home', { title: { type: 'string' }, tags: many('tag') }, { kind: 'singleType' }),
]
const components = {
  'a.card': component('a.card', { text: { type: 'string' }, tags: many('tag') }),
  'a.seo': component('a.seo', { text: { type: 'string' } }),
}
const caller = createContext(openAccess)
const pagination = { defaultLimit: 25, maxLimit: null, withCount: true }

function costOf(kernel: Kernel, params: Params, action: 'find' | 'findOne' | 'count' = 'find', name = 'page'): number {
  const request = { uid: uid(name), action, params, pagination, ...(action === 'findOne' ? { id: 1 } : {}) }
  return kernel.reader.costOf(kernel.reader.prepare(request, caller), caller)
}

t.test('page sizes are multiplied on the way down', async t => {
  const kernel = await boot(t, { contentTypes, components, maxRows: 1 })
  const of = (populate: object | string, more: object = {}) =>
    costOf(kernel, { populate, pagination: { limit: 10 }, ...more })
  t.equal(of({}), 10, 'the page')
  t.equal(of({}, { pagination: { limit: -1 } }), 25, 'a list without a limit')
  t.equal(of({}, { pagination: { limit: -1, start: 3 } }), 25, 'and one that skips entries')
  t.equal(of('parent'), 20, 'a relation to one')
  t.equal(of('tags'), 10 + 250, 'a relation to many without a limit')
  t.equal(of({ tags: { limit: 4 } }), 10 + 40, 'with a limit')
  t.equal(of({ tags: { limit: 0 } }), 10, 'with a limit of none')
  t.equal(of({ tags: { start: 7 } }), 10 + 250, 'with a start only')
  t.equal(of({ tags: { limit: -1, start: 2 } }), 10 + 250, 'with -1')
  t.equal(of({ tags: { limit: 4, populate: { tags: { limit: 3 } } } }), 10 + 40 + 120, 'two levels')
  t.equal(of({ parent: { populate: { tags: { limit: 3 } } } }), 10 + 10 + 30, 'a list below a relation to one')
  t.equal(of({ tags: { count: true } }), 20, 'a number of entries')
  t.equal(of('seo'), 20, 'a component')
  t.equal(of('cards'), 10 + 50, 'a list of components')
  t.equal(of({ cards: { limit: 2 } }), 10 + 20, 'with a limit')
  t.equal(of('zone'), 10 + 50, 'a zone, for all its types together')
  t.equal(of({ zone: { limit: 2 } }), 10 + 50, 'a zone is cut after it was fetched')
  t.equal(of({ zone: { populate: '*' } }), 10 + 50 * 26, 'below a zone, the dearest of its types')
  t.equal(of('about'), 20, 'a polymorphic relation to one')
  t.equal(of('all'), 10 + 250, 'a polymorphic list, for all types together')
  t.equal(costOf(kernel, { populate: 'tags' }, 'findOne'), 26, 'one entry')
  t.equal(costOf(kernel, { populate: 'tags' }, 'find', 'home'), 26, 'a single type')
  t.equal(costOf(kernel, { populate: 'tags' }, 'count'), 1, 'a number')
})

t.test('lifecycles: the cost is that of the parameters as they were sent', async t => {
  const change = (event: LifecycleEvent) => void Object.assign(event.params, { limit: 500 })
  const listen = ({ lifecycles }: Kernel) => lifecycles.subscribe([uid('page')], { beforeFindMany: change })
  const kernel = await boot(t, { contentTypes, components, configure: listen })
  t.equal(costOf(kernel, { populate: 'tags' }), 25 * 26)
})

t.test('a limit that is not a number of at least 1 is refused', async t => {
  for (const maxRows of [0, -1, 1.5, Number.NaN, '10'] as number[]) {
    await t.rejects(createKernel({ database: { client: 'sqlite', connection: { filename: ':memory:' } }, maxRows }), {
      code: 'PLINTH_OPTION_INVALID',
      message: `createKernel: maxRows must be a whole number of at least 1, not ${maxRows}`,
    })
  }
})
