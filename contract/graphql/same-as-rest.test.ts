// Property: the same question by REST and by GraphQL gives the same entries in the same order, and the same total, for
// callers with random rules on rows and with hidden attributes. What REST refuses, GraphQL answers with an error.

import draftPublish from '@plinth/draft-publish'
import {
  type Access,
  and,
  type Condition,
  compare,
  eq,
  type Kernel,
  linked,
  not,
  or,
  perRequest,
  systemAccess,
} from '@plinth/kernel'
import { casesOf } from '@plinth/test-tools/cases'
import t from 'tap'
import { fill, type Started, start } from '../../packages/graphql/test/fixtures/boot.ts'
import { type Random, randomOf } from '../../packages/graphql/test/fixtures/random-operations.ts'

const seed = Number(process.env.SEED ?? Date.now() % 100_000)
const count = casesOf(400)

/** A condition of a rule. Every value is one of the request; one that is missing fulfils nothing. */
type Rule = Readonly<Record<Name, readonly Condition[]>>

/** What a caller may see: entries that fulfil the rule, without these attributes. */
interface Sight {
  readonly rule: Rule
  readonly hidden: Readonly<Record<Name, readonly string[]>>
}

/** The rules of callers, by the value of a header. The first has none. */
function randomCallers(random: Random, wanted: number): ReadonlyMap<string, Sight> {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const own: Readonly<Record<Name, readonly (() => Condition)[]>> = {
    article: [
      () => compare('count', pick(['lt', 'gt'] as const), value(pick([3000, 0, -500]))),
      () => eq('flag', value(pick([true, false]))),
      () => not(eq('title', value('Article 3'))),
    ],
    tag: [() => eq('color', value(pick(['red', 'green', null]))), () => not(eq('label', value('News')))],
    person: [() => eq('name', value(pick(['Ann', 'Bob']))), () => compare('age', 'gt', value(10))],
  }
  const some = (name: Name): Condition => {
    const first = pick(own[name])()
    const kind = random()
    return kind < 0.2 ? or(first, pick(own[name])()) : kind < 0.35 ? and(first, pick(own[name])()) : first
  }
  const links: Readonly<Record<Name, readonly [relation: string, to: Name][]>> = {
    article: [
      ['author', 'person'],
      ['tags', 'tag'],
    ],
    tag: [['parent', 'tag']],
    person: [['boss', 'person']],
  }
  const condition = (name: Name): Condition => {
    const [relation, to] = pick(links[name])
    return random() < 0.3 ? linked(relation, some(to)) : some(name)
  }
  const rule = (): Rule => {
    const of = (name: Name) => Array.from({ length: pick([0, 1, 1, 2]) }, () => condition(name))
    return { article: of('article'), tag: of('tag'), person: of('person') }
  }
  const none = { article: [], tag: [], person: [] }
  const callers = new Map<string, Sight>([['all', { rule: none, hidden: none }]])
  const hidden = () => ({
    article: pick([[], ['count'], ['day', 'flag'], ['tags']]),
    tag: pick([[], ['color']]),
    person: pick([[], ['age'], ['name']]),
  })
  for (let i = 1; i < wanted; i++) callers.set(`caller${i}`, { rule: rule(), hidden: i % 2 === 0 ? hidden() : none })
  return callers
}

const value = (one: unknown) => perRequest(() => one)

const callers = randomCallers(randomOf(seed + 1), 8)

function configure(kernel: Kernel): void {
  kernel.auth.use({
    name: 'test',
    authenticate: ({ headers }): Access => ({ ...systemAccess, key: String(headers['x-caller'] ?? 'all') }),
  })
  kernel.hooks.on('prePlan', (draft, { key }) => {
    const name = draft.type.uid.split('.').at(-1)! as Name
    // What a rule looks at is not restricted by other rules.
    if (draft.via === 'rule') return
    const { rule, hidden } = callers.get(key) ?? callers.get('all')!
    for (const condition of rule[name] ?? []) draft.where(condition)
    for (const attribute of hidden[name] ?? []) draft.hide(attribute)
  })
}

t.test(`the same question by both transports, SEED=${seed}`, async t => {
  const started = await start(t, { configure, plugins: { 'draft-publish': { plugin: draftPublish } } })
  await fill(started)
  const random = randomOf(seed)
  let found = 0
  let refused = 0
  for (let i = 0; i < count; i++) {
    const question = randomQuestion(random)
    for (const caller of callers.keys()) {
      const visible = without(question, callers.get(caller)!.hidden)
      const rest = await askRest(started, visible, caller)
      const graphql = await askGraphql(started, visible, caller)
      if (rest === 'refused') refused++
      // A list whose argument is refused is an error at each parent, of which there may be none.
      const isUnasked = graphql !== 'refused' && graphql.entries.length === 0 && question.parts.length > 0
      const isSame = JSON.stringify(rest) === JSON.stringify(graphql) || (rest === 'refused' && isUnasked)
      if (!isSame) return t.fail('the answers differ', { seed, i, caller, question, rest, graphql })
      if (rest !== 'refused') found += rest.entries.length
    }
  }
  t.ok(found > count, `${found} entries`)
  const hides = [...callers.values()].some(({ hidden }) => Object.values(hidden).flat().length > 0)
  t.ok(!hides || refused > 0, `${refused} refused`)
})

/** The question without hidden attributes in its answer; its filters and its sort may still name them. */
function without(question: Question, hidden: Sight['hidden']): Question & { readonly fields: readonly string[] } {
  const { type, parts } = question
  return {
    ...question,
    fields: fieldsOf(type).filter(name => !hidden[type].includes(name)),
    parts: parts.filter(one => !hidden[type].includes(one.name)),
  }
}

type Asked = ReturnType<typeof without>

interface Part {
  readonly name: string
  readonly filters: object
  readonly sort: readonly string[]
  readonly limit: number
}

interface Question {
  readonly type: 'article' | 'tag' | 'person'
  readonly filters: object
  readonly sort: readonly string[]
  readonly page: number
  readonly pageSize: number
  readonly isPreview: boolean
  readonly parts: readonly Part[]
}

const scalars = {
  article: { title: ['Article 1', 'Article 3', 'rti'], count: [0, 1000, -4000], flag: [true], day: ['2024-02-14'] },
  tag: { label: ['News', 'Tag 4', 'ag'], color: ['red', 'green'] },
  person: { name: ['Ann', 'Bob', 'n'], age: [50, 0] },
} as const
const lists = {
  article: { tags: 'tag', related: 'article' },
  tag: { articles: 'article', children: 'tag' },
  person: { articles: 'article' },
} as const
const ones = { article: { author: 'person' }, tag: { parent: 'tag' }, person: { boss: 'person' } } as const
const operators = {
  string: ['eq', 'ne', 'contains', 'startsWith', 'in', 'notIn'],
  number: ['eq', 'gt', 'lte', 'ne', 'in'],
  boolean: ['eq', 'ne'],
} as const

type Name = Question['type']

function randomQuestion(random: Random): Question {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const filters = (type: Name, depth: number): object => {
    const kind = random()
    if (depth < 2 && kind < 0.15) return { or: [filters(type, depth + 1), filters(type, depth + 1)] }
    if (depth < 2 && kind < 0.25) return { not: filters(type, depth + 1) }
    if (depth < 2 && kind < 0.45) {
      const [name, target] = pick(Object.entries({ ...lists[type], ...ones[type] }))
      return { [name]: filters(target as Name, depth + 1) }
    }
    const [name, values] = pick(Object.entries(scalars[type] as Record<string, readonly (string | number | boolean)[]>))
    if (kind > 0.9) return { [name]: { [pick(['null', 'notNull'])]: true } }
    const value = pick(values)
    const isDay = name === 'day'
    const operator = isDay ? pick(['eq', 'gt', 'lt']) : pick(operators[typeof value as keyof typeof operators])
    return { [name]: { [operator]: operator === 'in' || operator === 'notIn' ? values : value } }
  }
  const sort = (type: Name): string[] => {
    const [name] = pick(Object.entries(scalars[type]))
    return random() < 0.5 ? ['id:desc'] : [`${name}:${pick(['asc', 'desc'])}`, 'id']
  }
  const type = pick(['article', 'tag', 'person'] as const)
  const parts = Object.entries(lists[type]).flatMap(([name, target]): Part[] =>
    random() < 0.5
      ? [
          {
            name,
            filters: random() < 0.5 ? filters(target as Name, 1) : {},
            sort: sort(target as Name),
            limit: whole(1, 12),
          },
        ]
      : [],
  )
  const asked = random() < 0.7 ? filters(type, 0) : {}
  return {
    type,
    filters: asked,
    sort: sort(type),
    page: whole(1, 3),
    pageSize: whole(1, 8),
    isPreview: type === 'article' && random() < 0.3,
    parts,
  }
}

interface Answered {
  readonly entries: readonly unknown[]
  readonly total: number
}

// biome-ignore lint/suspicious/noExplicitAny: answers are JSON
type Json = any

/** `{ or: [{ title: { eq } }] }` → `{ $or: [{ title: { $eq } }] }` */
function restFilters(filters: object): object {
  const words = /^(?:and|or|not|eq|ne|gt|lt|lte|contains|startsWith|in|notIn|null|notNull)$/
  return Object.fromEntries(
    Object.entries(filters).map(([key, value]) => [
      words.test(key) ? `$${key}` : key,
      Array.isArray(value)
        ? value.map(one => (typeof one === 'object' ? restFilters(one) : one))
        : typeof value === 'object'
          ? restFilters(value)
          : value,
    ]),
  )
}

/** `{ a: { b: [1] } }` → `a[b][0]=1` */
function queryString(value: unknown, path = ''): string {
  if (value === null || typeof value !== 'object') return `${path}=${encodeURIComponent(String(value))}`
  return Object.entries(value)
    .map(([key, one]) => queryString(one, path === '' ? key : `${path}[${key}]`))
    .filter(one => one !== '')
    .join('&')
}

/** Drafts may have no title, which GraphQL answers as an error. */
const fieldsOf = (type: Name) => Object.keys(scalars[type]).filter(name => name !== 'title')

async function askRest({ app }: Started, question: Asked, caller: string): Promise<Answered | 'refused'> {
  const { type, filters, sort, page, pageSize, parts, isPreview, fields } = question
  const query = {
    filters: restFilters(filters),
    sort,
    fields: [...fields, 'id'],
    pagination: { page, pageSize },
    ...(isPreview && { publicationState: 'preview' }),
    populate: Object.fromEntries([
      ...Object.keys(ones[type]).map(name => [name, { fields: ['id'] }]),
      ...parts.map(one => [
        one.name,
        {
          filters: restFilters(one.filters),
          sort: one.sort,
          start: 0,
          limit: one.limit,
          fields: ['id'],
          // A list of GraphQL has a state of its own, which is live by default.
          ...((lists[type] as Record<string, string>)[one.name] === 'article' && { publicationState: 'live' }),
        },
      ]),
    ]),
  }
  const plural = { article: 'articles', tag: 'tags', person: 'persons' }[type]
  const url = `/api/${plural}?${queryString(query)}`
  const response = await app.inject({ url, headers: { 'x-caller': caller } })
  const body = JSON.parse(response.payload)
  const isHiding = Object.values(callers.get(caller)!.hidden).flat().length > 0
  if (response.statusCode === 400 && isHiding) return 'refused'
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.payload}`)
  const ids = (data: Json): Json =>
    Array.isArray(data) ? data.map(one => String(one.id)) : data === null ? null : String(data.id)
  return {
    entries: body.data.map(({ id, attributes }: Json) => ({
      id: String(id),
      ...Object.fromEntries(fields.map(name => [name, attributes[name]])),
      ...Object.fromEntries(
        [...Object.keys(ones[type]), ...parts.map(one => one.name)].map(name => [name, ids(attributes[name].data)]),
      ),
    })),
    total: body.meta.pagination.total,
  }
}

async function askGraphql({ ask }: Started, question: Asked, caller: string): Promise<Answered | 'refused'> {
  const { type, filters, sort, page, pageSize, parts, isPreview, fields } = question
  const name = `${type}s`
  const input = (target: string) => `${target[0]!.toUpperCase()}${target.slice(1)}FiltersInput`
  const nested = parts.map((one, i) => {
    const target = (lists[type] as Record<string, string>)[one.name]!
    return { ...one, variable: `f${i}`, declared: `$f${i}: ${input(target)}` }
  })
  const query = `query Q(${[`$filters: ${input(type)}`, ...nested.map(one => one.declared)].join(', ')}) {
    ${name}(filters: $filters, sort: ${JSON.stringify(sort)}, pagination: { page: ${page}, pageSize: ${pageSize} }${isPreview ? ', publicationState: PREVIEW' : ''}) {
      data { id attributes { __typename ${fields.join(' ')}
        ${Object.keys(ones[type])
          .map(one => `${one} { data { id } }`)
          .join(' ')}
        ${nested.map(one => `${one.name}(filters: $${one.variable}, sort: ${JSON.stringify(one.sort)}, pagination: { limit: ${one.limit} }) { data { id } }`).join(' ')}
      } }
      meta { pagination { total } }
    } }`
  const variables = { filters, ...Object.fromEntries(nested.map(one => [one.variable, one.filters])) }
  const { status, text, body } = await ask(query, variables, { 'x-caller': caller })
  const isHiding = Object.values(callers.get(caller)!.hidden).flat().length > 0
  if (status === 200 && body.errors !== undefined && isHiding) return 'refused'
  if (status !== 200 || body.errors !== undefined) throw new Error(`${query}: ${text}`)
  const ids = (data: Json): Json => (Array.isArray(data) ? data.map(one => one.id) : data === null ? null : data.id)
  const answered = body.data[name]
  return {
    entries: answered.data.map(({ id, attributes }: Json) => ({
      id,
      ...Object.fromEntries(fields.map(one => [one, attributes[one]])),
      ...Object.fromEntries(
        [...Object.keys(ones[type]), ...parts.map(one => one.name)].map(one => [one, ids(attributes[one].data)]),
      ),
    })),
    total: answered.meta.pagination.total,
  }
}
