// Values are checked when a query is planned: whether one is refused depends neither on what is linked nor on what rules
// hide of it, wherever in a query it stands.

import t, { type Test } from 'tap'
import {
  checked,
  createContext,
  eq,
  openAccess,
  type Params,
  type PlanDraft,
  perRequest,
  Type,
  ValidationError,
} from '../../src/index.ts'
import { boot, component, repositories, thrown, type, uid } from '../fixtures/boot.ts'

const to = (relation: string, target: string, more: object = {}) => ({
  ...{ type: 'relation', relation },
  target: uid(target),
  ...more,
})
const contentTypes = [
  type('note', {
    word: { type: 'string' },
    owner: { type: 'string' },
    rank: { type: 'integer' },
    team: to('manyToOne', 'team', { inversedBy: 'notes' }),
    next: to('oneToOne', 'note'),
  }),
  type('team', {
    name: { type: 'string' },
    notes: to('oneToMany', 'note', { mappedBy: 'team' }),
    any: { type: 'relation', relation: 'morphToMany' },
    part: { type: 'component', component: 'a.part' },
    zone: { type: 'dynamiczone', components: ['a.part'] },
  }),
]
const components = { 'a.part': component('a.part', { note: to('oneToOne', 'note') }) }
const isNote = (one: { readonly uid: string }) => one.uid === uid('note')

/** Notes are seen by their owner alone, and `shade` takes the words that `refuse` lets pass. */
async function start(t: Test) {
  const refuse = (value: unknown) => {
    if (value === 'wrong') throw new ValidationError('shade is wrong')
  }
  const kernel = await boot(t, {
    contentTypes,
    components,
    configure: ({ hooks, parameters }) => {
      hooks.on('prePlan', { for: isNote }, (node: PlanDraft) => {
        node.where(
          eq(
            'owner',
            perRequest(({ state }) => state.name),
          ),
        )
      })
      hooks.on('prePlan', { for: one => one.uid === uid('team') }, node => {
        if (node.via === 'root' && node.query.meta) node.meta('words', { relation: 'notes', attribute: 'word' })
      })
      parameters.add({
        name: 'shade',
        schema: Type.String(),
        for: isNote,
        actions: ['find', 'findOne', 'count'],
        depth: 'every',
        shape: () => 'one',
        fallback: ({ state }) => state.shade,
        plan: (node, { value }) => node.where(eq('word', checked(value, refuse))),
      })
    },
  })
  const of = repositories(kernel)
  const as = (name: string, shade = 'dark') => ({
    ...createContext({ ...openAccess, key: 'user' }),
    state: { name, shade },
  })
  return { kernel, of, as }
}

/** The same option for notes, at each place where a populate of a team can name it. */
function places(option: object): Record<string, object> {
  const note = { note: option }
  return {
    relation: { notes: option },
    'a count': { notes: { ...option, count: true } },
    'a page': { notes: { ...option, start: 0, limit: 5 } },
    'two levels': { notes: { populate: { next: option } } },
    'three levels': { notes: { populate: { team: { populate: { notes: option } } } } },
    'any type': { any: { on: { [uid('note')]: option } } },
    'below any type': { any: { on: { [uid('note')]: { populate: { next: option } } } } },
    component: { part: { populate: note } },
    zone: { zone: { on: { 'a.part': { populate: note } } } },
  }
}

const wrongs: Record<string, object> = {
  'a parameter': { shade: 'wrong' },
  'a filter': { filters: { rank: { $eq: 'x' } } },
  'a filter through a relation': { filters: { next: { rank: { $gt: 'x' } } } },
}

t.test('a wrong value is refused whatever is linked, and before it is looked for', async t => {
  const { kernel, of, as } = await start(t)
  const team = await of('team').create({ data: { name: 'red', zone: [{ __component: 'a.part' }], part: {} } })
  const ask = (populate: object, name = 'Ann') =>
    kernel.query(uid('team'), as(name)).findMany({ populate } as Params as never)
  const check = async (when: string) => {
    for (const [what, option] of Object.entries(wrongs))
      for (const [place, populate] of Object.entries(places(option)))
        t.match(await thrown(t, () => ask(populate)), { status: 400 }, `${what}, ${place}, ${when}`)
    t.resolves(ask(places({ shade: 'dark' }).relation!), 'others are answered')
  }
  await check('nothing is linked')
  const note = await of('note').create({ data: { word: 'dark', owner: 'Bob', team: team.id } })
  const second = await of('note').create({ data: { word: 'dark', owner: 'Bob', next: note.id } })
  await of('team').update(team.id, {
    data: {
      notes: [note.id, second.id],
      any: [{ id: note.id, __type: uid('note') }],
      part: { note: note.id },
      zone: [{ __component: 'a.part', note: note.id }],
    },
  })
  await check('what is linked is hidden')
  t.match(await ask({ notes: { shade: 'dark' } }, 'Bob'), [{ notes: [{ id: note.id }, { id: second.id }] }])
})

t.test('a value of the request is checked at every request, and for the meta of entries too', async t => {
  const { kernel, of, as } = await start(t)
  const wrong = { status: 400, message: 'shade is wrong' }
  const ask = (populate: object, shade: string) =>
    kernel.query(uid('team'), as('Ann', shade)).findMany({ populate } as Params as never)
  const request = { uid: uid('team'), action: 'find', params: {} } as const
  const read = (shade: string) => kernel.reader.read({ ...request, meta: true }, as('Ann', shade))
  for (const when of ['there is no team', 'nothing is linked']) {
    for (const [place, populate] of Object.entries(places({}))) {
      await ask(populate, 'dark')
      t.match(await thrown(t, () => ask(populate, 'wrong')), wrong, `${place}, ${when}`)
    }
    await read('dark')
    t.match(await thrown(t, () => read('wrong')), wrong, `meta, ${when}`)
    await of('team').create({ data: { name: 'red' } })
  }
  const prepared = kernel.reader.prepare({ ...request, params: { populate: ['notes'] } }, as('Ann'))
  await kernel.reader.run(prepared, as('Ann'))
  t.match(await thrown(t, () => kernel.reader.run(prepared, as('Ann', 'wrong'))), wrong, 'of a prepared query, too')
})
