// How the nodes of a plan are reached, and what `prePlan` hooks can do at each of them.

import t, { type Test } from 'tap'
import {
  type Context,
  createContext,
  eq,
  isNotNull,
  type Kernel,
  linked,
  never,
  not,
  openAccess,
  or,
  type ParameterDefinition,
  type PlanDraft,
  perRequest,
  systemAccess,
  Type,
} from '../../src/index.ts'
import { boot, component, repositories, thrown, type, uid } from '../fixtures/boot.ts'

const to = (relation: string, name: string, more: object = {}) => ({
  type: 'relation',
  relation,
  target: uid(name),
  ...more,
})

const contentTypes = [
  type('user', { name: { type: 'string' }, articles: to('oneToMany', 'article', { mappedBy: 'author' }) }),
  type('article', {
    title: { type: 'string' },
    author: to('manyToOne', 'user', { inversedBy: 'articles' }),
    cover: { type: 'picture' },
    part: { type: 'component', component: 'a.part' },
    zone: { type: 'dynamiczone', components: ['a.part'] },
    about: { type: 'relation', relation: 'morphToOne' },
    siblings: to('oneToMany', 'article'),
  }),
]
const components = { 'a.part': component('a.part', { text: { type: 'string' }, user: to('oneToOne', 'user') }) }

type Rule = (draft: PlanDraft) => void

/** A kernel with articles of Ann and Bob; `rules` are laid by the key of the rights. */
async function start(t: Test, rules: Readonly<Record<string, Rule>>, configure: (kernel: Kernel) => void = () => {}) {
  const kernel = await boot(t, {
    contentTypes,
    components,
    configure: kernel => {
      kernel.attributeTypes.add('picture', { as: () => to('oneToOne', 'user'), isShownWithEntry: true })
      kernel.hooks.on('prePlan', (draft, { key }) => rules[key]?.(draft))
      configure(kernel)
    },
  })
  const of = repositories(kernel)
  for (const name of ['Ann', 'Bob']) await of('user').create({ data: { name } })
  const part = { text: 'p', user: 2 }
  for (const [i, title] of ['of Ann', 'of Bob'].entries())
    await of('article').create({
      data: {
        title,
        author: i + 1,
        cover: 1,
        part,
        zone: [{ __component: 'a.part', ...part }],
        siblings: i === 0 ? [] : [1],
      },
    })
  const as = (key: string, state: Record<string, unknown> = {}): Context => ({
    ...createContext({ ...openAccess, key }),
    state,
  })
  const ask = (key: string, params = {}, state = {}, name = 'article') =>
    kernel.query(uid(name), as(key, state)).findMany(params)
  return {
    kernel,
    of,
    as,
    ask,
    titles: async (...args: Parameters<typeof ask>) => (await ask(...args)).map(one => one.title),
  }
}

t.test('a node says how and through what it is reached', async t => {
  const seen: string[] = []
  const { kernel, ask, as } = await start(t, {
    watch: draft => {
      const { type, via, through, path, stage } = draft
      seen.push(`${type.uid.split('.').at(-1)} ${via} ${through?.name ?? null}:${through?.type ?? ''} ${path} ${stage}`)
      if (type.uid !== uid('article') || via !== 'root') return
      draft.where(linked('author', linked('articles', isNotNull('title'))))
      if (draft.query.meta) draft.meta('names', { relation: 'author', attribute: 'name' })
    },
  })
  await ask('watch', {
    filters: { part: { user: { name: { $notNull: true } } } },
    sort: 'author.name',
    populate: { cover: true, zone: { populate: 'user' }, about: { on: { [uid('user')]: {} } } },
  })
  t.same(seen, [
    'article root null: article read',
    'user rule author:relation article.author read',
    'article rule articles:relation article.author.articles read',
    'part filter part:component filters.part read',
    'user filter user:relation filters.part.user read',
    'user sort author:relation sort.author read',
    'user populate cover:picture populate.cover read',
    'part populate zone:dynamiczone populate.zone read',
    'user populate user:relation populate.zone.populate.user read',
    'user populate about:relation populate.about read',
  ])
  seen.length = 0
  await kernel.reader.read({ uid: uid('article'), action: 'find', params: {}, meta: true }, as('watch'))
  t.ok(seen.includes('user meta author:relation article.author read'))
})

t.test('populated nodes and meta lists can be dropped, others not', async t => {
  const rules: Record<string, Rule> = {
    ask: () => {},
    lists: draft => {
      if (draft.type.uid === uid('article') && draft.query.meta && draft.via === 'root') {
        draft.meta('siblings', { relation: 'siblings', attribute: 'title' })
        draft.meta('authors', { relation: 'author', attribute: 'name' })
      }
    },
  }
  rules.dropped = draft => {
    rules.lists!(draft)
    if (draft.via === 'meta' && draft.type.uid === uid('user')) draft.drop()
  }
  rules.hiddenRelation = draft => {
    rules.lists!(draft)
    if (draft.via === 'root') draft.hide('author')
  }
  rules.hiddenValue = draft => {
    if (draft.via === 'meta' && draft.type.uid === uid('user')) draft.hide('name')
    rules.lists!(draft)
  }
  rules.ruled = draft => {
    if (draft.via === 'meta' && draft.type.uid === uid('user')) draft.where(never)
    rules.lists!(draft)
  }
  rules.again = draft => draft.query.meta && draft.meta('siblings', { relation: 'siblings', attribute: 'title' })
  for (const via of ['root', 'filter', 'sort', 'rule'])
    rules[via] = draft => {
      if (draft.via === 'root') draft.where(linked('author'))
      if (draft.via === via) draft.drop()
    }
  const { kernel, as, ask } = await start(t, rules)
  const metaOf = async (key: string) => {
    const request = { uid: uid('article'), action: 'find', params: {}, meta: true } as const
    const { rows } = await kernel.reader.read(request, as(key))
    return Object.fromEntries(rows.node.meta.map(({ name }, i) => [name, [...rows.meta[i]!.values()].flat()]))
  }
  t.same(await metaOf('lists'), { siblings: ['of Ann'], authors: ['Ann', 'Bob'] })
  for (const key of ['dropped', 'hiddenRelation', 'hiddenValue'])
    t.same(await metaOf(key), { siblings: ['of Ann'] }, key)
  t.same(await metaOf('ruled'), { siblings: ['of Ann'], authors: [] })
  t.same(Object.keys(await metaOf('again')), ['siblings'], 'lists of lists are none')
  const through = { filters: { author: { name: 'Ann' } }, sort: 'author.name' }
  for (const via of ['root', 'filter', 'sort', 'rule'])
    t.match(await thrown(t, () => ask(via, through)), { code: 'PLINTH_PLAN_DROP', message: new RegExp(`"${via}"$`) })
})

t.test('a node is refused in the way that its via demands', async t => {
  const shown: string[] = []
  const closed: Rule = draft => {
    if (draft.via === 'root') return
    if (draft.isShownWithEntry) shown.push(draft.type.uid)
    else draft.refuse()
  }
  const { ask } = await start(t, { closed, root: draft => draft.refuse() })
  const [first] = await ask('closed', { populate: { author: true, cover: true, part: { populate: ['user'] } } })
  t.match(first, { title: 'of Ann', cover: { name: 'Ann' }, part: { text: 'p' } })
  t.notOk('author' in first!)
  t.notOk('user' in (first!.part as object))
  t.same(shown.sort(), ['a.part', uid('user')])
  for (const question of [{ filters: { author: { name: 'Ann' } } }, { sort: 'author.name' }])
    t.match(await thrown(t, () => ask('closed', question)), {
      name: 'ValidationError',
      message: 'Invalid parameter author',
    })
  t.match(await thrown(t, () => ask('root', {})), { code: 'PLINTH_PLAN_DROP' })
})

t.test('T2: what the kernel looks up passes no hook', async t => {
  const calls: string[] = []
  const executed: string[] = []
  const { kernel, as } = await start(
    t,
    {
      limited: draft => {
        calls.push(`${draft.via} ${draft.stage}`)
        if (draft.via !== 'root') draft.drop()
        draft.hide('title')
      },
    },
    ({ hooks }) => {
      hooks.on('preExecute', ({ query }) => void executed.push(query.stage))
      hooks.on('onExecute', ({ query }) => void executed.push(query.stage))
    },
  )
  const { entries } = kernel.writer
  calls.length = 0
  executed.length = 0
  const read = await entries.read(uid('article'), 1, as('limited'), { populate: ['author', 'siblings'] })
  t.match(read, { title: 'of Ann', author: { name: 'Ann' } })
  t.match(await entries.copy(uid('article'), 1, ['title', 'part'], as('limited')), {
    title: 'of Ann',
    part: { text: 'p' },
  })
  t.same(calls, [])
  t.same(executed, [])
  const system = await kernel.writer.update({
    uid: uid('article'),
    id: 1,
    data: {},
    params: Object.freeze({}),
    context: createContext(systemAccess),
  })
  t.equal(system.rows.rows.length, 1)
  t.ok(executed.includes('answer'), 'answers of the system are no look-ups')
  await kernel.query(uid('article')).findMany()
  t.ok(executed.includes('read'))
})

t.test('T3: rules may pass what their caller may not ask about', async t => {
  const noUsers = (draft: PlanDraft) => {
    if (draft.type.uid !== uid('user') || draft.via === 'root' || draft.via === 'rule') return
    if (draft.via === 'populate' || draft.via === 'meta') draft.drop()
    else throw new RangeError(`no users by ${draft.via}`)
  }
  const mine = linked(
    'author',
    eq(
      'name',
      perRequest(({ state }) => state.name),
    ),
  )
  const { ask, titles, as, kernel } = await start(t, {
    gate: draft => {
      noUsers(draft)
      if (draft.type.uid === uid('article') && draft.via !== 'rule') draft.where(mine, { narrow: true })
    },
    // Each of the two rules passes the type of the other.
    both: draft => {
      if (draft.via === 'rule') return
      if (draft.type.uid === uid('article')) draft.where(mine)
      if (draft.type.uid === uid('user')) draft.where(linked('articles', isNotNull('title')))
    },
  })
  t.same(await titles('gate', {}, { name: 'Ann' }), ['of Ann'])
  t.same(await titles('gate', { populate: 'author' }, { name: 'Bob' }), ['of Bob'])
  t.same(await titles('gate', {}, {}), [])
  t.equal(await kernel.query(uid('article'), as('gate', { name: 'Ann' })).count(), 1)
  t.match(await thrown(t, () => ask('gate', { filters: { author: 1 } }, { name: 'Ann' })), { message: /by filter/ })
  t.same(await titles('both', { filters: { author: { articles: { id: { $gt: 0 } } } } }, { name: 'Ann' }), ['of Ann'])
  t.match(await ask('both', { populate: 'articles' }, { name: 'Ann' }, 'user'), [{ articles: [{}] }, { articles: [] }])
})

t.test('what a parameter passes is a question of the caller who sent it', async t => {
  const seen: string[] = []
  const named = (name: string, other: string | null): ParameterDefinition => ({
    name,
    schema: Type.String(),
    for: one => one.uid === uid('article'),
    actions: ['find'],
    depth: 'root',
    shape: () => '',
    fallback: () => 'Ann',
    fallbackShape: '',
    plan: (node, { value }) => {
      if (other !== null) node.parameter(other)
      node.where(linked('author', linked('articles', linked('author', eq('name', value)))))
    },
  })
  const { ask } = await start(t, { watch: ({ via, path }) => void seen.push(`${via} ${path}`) }, ({ parameters }) => {
    parameters.add(named('author', null))
    parameters.add(named('writer', 'author'))
  })
  const vias = async (params: object) => {
    seen.length = 0
    await ask('watch', params)
    return seen.map(one => one.split(' ')[0]).join(' ')
  }
  const nodes = (via: string) => [via, via, via].join(' ')
  t.equal(await vias({}), `${nodes('rule')} ${nodes('rule')} root`)
  t.equal(await vias({ author: 'Bob' }), `${nodes('filter')} ${nodes('filter')} root`, 'also one that looks at another')
  t.equal(await vias({ writer: 'Bob' }), `${nodes('rule')} ${nodes('filter')} root`)
})

t.test('conditions of rules follow the parameters of the linked type', async t => {
  const { titles } = await start(t, { rule: draft => draft.via === 'root' && draft.where(linked('author')) }, kernel =>
    kernel.parameters.add({
      name: 'named',
      schema: Type.String(),
      for: one => one.uid === uid('user'),
      actions: ['find'],
      depth: 'every',
      shape: () => '',
      fallback: () => 'Bob',
      fallbackShape: '',
      plan: (node, { value }) => node.where(eq('name', value)),
    }),
  )
  t.same(await titles('rule'), ['of Bob'])
  t.same(await titles('rule', { named: 'Ann' }), ['of Bob'], 'whatever the caller sends')
  const asked = { filters: { author: { id: { $gt: 0 } } } }
  t.same(await titles('free', { named: 'Ann', ...asked }), ['of Ann'], 'which acts on filters')
})

t.test('nodes of rules cost the caller nothing', async t => {
  const many = or(...Array.from({ length: 20 }, () => linked('author', linked('articles', linked('author')))))
  const { ask } = await start(t, { heavy: draft => draft.via === 'root' && draft.where(many) })
  const deep = { filters: { $or: Array.from({ length: 99 }, () => ({ author: { id: 1 } })) } }
  t.equal((await ask('heavy', deep)).length, 1)
  const deeper = { filters: { $or: Array.from({ length: 100 }, () => ({ author: { id: 1 } })) } }
  t.match(await thrown(t, () => ask('heavy', deeper)), { status: 400, message: /Query too expensive/ })
})

t.test('T3: rules that lead to each other without end are refused and named', async t => {
  const endless: Rule = draft => {
    if (draft.access.key !== 'endless') return
    if (draft.type.uid === uid('article')) draft.where(linked('author'))
    if (draft.type.uid === uid('user')) draft.where(not(linked('articles')))
  }
  const kernel = await boot(t, {
    contentTypes,
    components,
    configure: ({ attributeTypes }) => attributeTypes.add('picture', { as: () => to('oneToOne', 'user') }),
    plugins: {
      loop: {
        plugin: {
          plinth: {
            name: 'loop',
            register: ({ kernel }: { kernel: Kernel }) => void kernel.hooks.on('prePlan', endless),
          },
        } as never,
      },
    },
  })
  for (const access of [
    { ...openAccess, key: 'endless' },
    { ...systemAccess, key: 'endless' },
  ]) {
    const error = await thrown(t, () => kernel.query(uid('article'), createContext(access)).findMany())
    t.match(error, {
      code: 'PLINTH_PLAN_RULES',
      message:
        /pass more than 250 other nodes, the last api::(?:user\.user through "author"|article\.article through "articles")/,
      plugin: 'loop',
      hook: 'prePlan',
    })
  }
})

t.test('an option of a condition that does not exist is refused', async t => {
  const misspelt = { narow: true } as { narrow?: boolean }
  const { ask } = await start(t, { rule: draft => draft.where(isNotNull('title'), misspelt) })
  const message = /where: the option "narow" is not known, did you mean "narrow"\?/
  await t.rejects(ask('rule'), { code: 'PLINTH_PLAN_OPTION', message })
})

t.test('what is no condition is refused, and hides nothing silently', async t => {
  for (const given of [{ title: 'x' }, { op: 'equal' }, null, undefined, 'title']) {
    const { ask } = await start(t, { rule: draft => draft.where(given as never) })
    const message = `where: expected a condition, such as eq(attribute, operand), found ${JSON.stringify(given)}`
    await t.rejects(ask('rule'), { code: 'PLINTH_PLAN_OPTION', message })
  }
})
