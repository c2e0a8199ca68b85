// `execution.identity`, by which plugins keep answers: equal for reads whose answers are equal, and for no others.

import t from 'tap'
import { compare, createContext, createKernel, openAccess, perRequest } from '../../src/index.ts'
import { type, uid } from '../fixtures/boot.ts'

const contentTypes = [
  type('author', { name: { type: 'string' }, team: { type: 'string' } }),
  type('article', {
    title: { type: 'string' },
    author: { type: 'relation', relation: 'oneToOne', target: uid('author') },
  }),
]

t.test('the identity differs with values, rights, shape and page', async t => {
  let identity = ''
  const kernel = await createKernel({
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    contentTypes,
    configure({ hooks }) {
      hooks.on('prePlan', { for: one => one.uid === uid('author') }, draft =>
        draft.where(
          compare(
            'team',
            'eq',
            perRequest(({ request }) => request),
          ),
        ),
      )
      hooks.on('preExecute', execution => {
        identity = execution.identity
        t.ok(execution.reads.has(execution.query.uid))
        return undefined
      })
    },
  })
  t.teardown(() => kernel.close())
  const of = async (params: object, request: unknown = 'red', key = 'open') => {
    await kernel.query(uid('article'), createContext({ ...openAccess, key }, request)).findMany({ ...params })
    return identity
  }
  const named = (name: string) => ({ populate: { author: { filters: { name } } } })
  const first = await of(named('Ann'))
  t.equal(await of(named('Ann')), first, 'the same query')
  t.not(await of(named('Bob')), first, 'another value in what is populated')
  t.not(await of(named('Ann'), 'blue'), first, 'a value of the request in what is populated')
  t.not(await of(named('Ann'), 'red', 'other'), first, 'other rights')
  t.not(await of({ ...named('Ann'), fields: ['title'] }), first, 'another shape')
  t.not(await of({ ...named('Ann'), pagination: { limit: 3 } }), first, 'a page')
  t.not(
    await of({ ...named('Ann'), pagination: { limit: 3 } }),
    await of({ ...named('Ann'), pagination: { limit: 4 } }),
    'another page',
  )
})
