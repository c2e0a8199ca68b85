/**
 * What `GET /api/content-type-builder/rights` says is what the caller finds by trying: each action, each attribute read and
 * written, by users with random roles and rules, tokens, and callers without either (security.md rows 49 and 51).
 */

import { tokensOf } from '@plinth/api-tokens'
import { createServer } from '@plinth/server'
import { casesOf } from '@plinth/test-tools/cases'
import { temporary } from '@plinth/test-tools/fixtures'
import { accountsOf } from '@plinth/users-permissions'
import t, { type Test } from 'tap'
import { client, fresh } from '../boot.ts'
import { Random } from '../property/random.ts'
import { roleUid, startMembers, userUid } from './members.ts'

const seed = Number(process.env.PLINTH_SEED ?? Math.floor(Math.random() * 1e6))
const roleCount = casesOf(30)

const rights = 'plugin::content-type-builder.rights.getRights'
const preview = 'plugin::draft-publish.entries.preview'
const info = (name: string) => ({ singularName: name, pluralName: `${name}s`, displayName: name })
const to = (relation: string, target: string, more: object = {}) => ({
  ...{ type: 'relation', relation, target: `api::${target}.${target}` },
  ...more,
})
const text = { type: 'string' }

const contentTypes = [
  {
    collectionName: 'articles',
    info: info('article'),
    options: { draftAndPublish: true },
    pluginOptions: { i18n: { localized: true } },
    attributes: {
      title: { ...text, pluginOptions: { i18n: { localized: true } } },
      fee: { type: 'integer' },
      note: { ...text, private: true },
      counter: { type: 'integer', writable: false },
      author: to('manyToOne', 'author', { inversedBy: 'articles' }),
      tags: to('manyToMany', 'tag', { inversedBy: 'articles' }),
      subject: { type: 'relation', relation: 'morphToOne' },
      items: { type: 'relation', relation: 'morphToMany' },
      cover: { type: 'media', multiple: false },
      seo: { type: 'component', component: 'shared.seo' },
      zone: { type: 'dynamiczone', components: ['shared.quote'] },
    },
  },
  {
    collectionName: 'authors',
    info: info('author'),
    attributes: {
      name: text,
      salary: { type: 'integer' },
      articles: to('oneToMany', 'article', { mappedBy: 'author' }),
    },
  },
  {
    collectionName: 'tags',
    info: info('tag'),
    attributes: {
      word: text,
      articles: to('manyToMany', 'article', { mappedBy: 'tags' }),
      within: { type: 'relation', relation: 'morphMany', target: 'api::article.article', morphBy: 'items' },
    },
  },
  {
    kind: 'singleType',
    collectionName: 'homes',
    info: info('home'),
    attributes: { greeting: text, hero: to('oneToOne', 'tag') },
  },
]
const components = {
  'shared.seo': {
    collectionName: 'components_seos',
    info: { displayName: 'seo' },
    attributes: {
      label: text,
      secret: { ...text, private: true },
      kept: { ...text, writable: false },
      by: to('oneToOne', 'author'),
    },
  },
  'shared.quote': {
    collectionName: 'components_quotes',
    info: { displayName: 'quote' },
    attributes: { words: text, seo: { type: 'component', component: 'shared.seo' }, of: to('oneToOne', 'tag') },
  },
}

/** The id of no entry. The test makes more than a thousand of them. */
const noId = 2_000_000_000

/** Stands for links to an article that is there. */
const anArticle = Symbol('an article')

/** Stands for a link to an entry of any type. */
const anything = Symbol('anything')

/** What a test knows of a content type: its attributes with a value to send; the keys of those that have one. */
const samples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'api::article.article': {
    title: 'sent',
    fee: 7,
    note: 'sent',
    counter: 7,
    author: 2,
    tags: [2],
    subject: anything,
    items: anything,
    cover: 2,
    seo: { label: 'sent' },
    zone: [{ __component: 'shared.quote', words: 'sent' }],
    publishedAt: null,
    locale: 'de',
    createdAt: '2001-01-01T00:00:00.000Z',
  },
  'api::author.author': { name: 'sent', salary: 7, articles: anArticle },
  'api::tag.tag': { word: 'sent', articles: anArticle, within: anArticle },
  'api::home.home': { greeting: 'sent', hero: 2 },
}
/** The values of components, as data of an article, by component and attribute. */
const inComponents: Readonly<Record<string, Readonly<Record<string, (value: unknown) => object>>>> = {
  'shared.seo': {
    label: value => ({ seo: { label: value } }),
    secret: value => ({ seo: { secret: value } }),
    kept: value => ({ seo: { kept: value } }),
    by: value => ({ seo: { by: value && 2 } }),
  },
  'shared.quote': {
    words: value => ({ zone: [{ __component: 'shared.quote', words: value }] }),
    seo: value => ({ zone: [{ __component: 'shared.quote', seo: value && { label: value } }] }),
    of: value => ({ zone: [{ __component: 'shared.quote', of: value && 2 }] }),
  },
}
const collections = ['article', 'author', 'tag']
const uidOf = (name: string) => `api::${name}.${name}`
const operationsOf = (name: string) =>
  name === 'home' ? ['find', 'update', 'delete'] : ['find', 'findOne', 'create', 'update', 'delete']

/** A role that may do some of everything, with rules that close attributes, and conditions that all entries fulfil. */
function randomRole(random: Random) {
  const names = [...collections, 'home']
  const permissions = [rights, ...(random.chance(0.5) ? [preview] : [])]
  const rules: object[] = []
  for (const name of names)
    for (const operation of operationsOf(name)) {
      if (!random.chance(0.7)) continue
      const action = `${uidOf(name)}.${operation}`
      permissions.push(action)
      if (operation === 'delete' || !random.chance(0.4)) continue
      const attributes = Object.keys(samples[uidOf(name)]!)
      rules.push({
        action,
        ...(random.chance(0.5) && { where: { id: { $gt: 0 } } }),
        fields: random.some(attributes, 1, 3),
      })
    }
  if (random.chance(0.5)) permissions.push(`${uidOf('article')}.createLocalization`)
  if (random.chance(0.5)) permissions.push('plugin::upload.content-api.find')
  if (random.chance(0.3)) rules.push({ action: 'plugin::upload.content-api.upload', fields: ['related'] })
  return { permissions, rules }
}

async function start(t: Test) {
  const random = new Random(seed, 0)
  const roles = Object.fromEntries(
    ['public', ...Array.from({ length: roleCount }, (_, i) => `role_${i}`)].map(name => [name, randomRole(random)]),
  )
  const pick = (key: 'permissions' | 'rules') =>
    Object.fromEntries(Object.entries(roles).map(([name, role]) => [name, role[key]]))
  const { config } = await fresh(t)
  const app = await createServer({
    dir: import.meta.dirname,
    database: config,
    contentTypes: contentTypes as never,
    components: components as never,
    plugins: {
      rest: true,
      passwords: true,
      'draft-publish': { config: { previewFor: 'permitted' } },
      i18n: { config: { locales: ['en', 'de'] } },
      upload: { config: { folder: await temporary(t) } },
      'api-tokens': { config: { salt: 'a-salt-of-the-tests-of-rights' } },
      'content-type-builder': true,
      'users-permissions': {
        config: {
          jwtSecret: 'a secret of the tests, long enough',
          ratelimit: { enabled: false },
          permissions: pick('permissions'),
          rules: pick('rules'),
        },
      },
    },
    logger: false,
  })
  t.teardown(() => app.close())
  await app.ready()
  const { kernel } = app
  const file = {
    name: 'a.png',
    hash: 'a',
    mime: 'image/png',
    size: 1,
    url: '/a.png',
    provider: 'local',
    folderPath: '/',
  }
  for (const data of [file, { ...file, hash: 'b' }]) await kernel.query('plugin::upload.file').create({ data })
  for (const word of ['a', 'b']) await kernel.query(uidOf('tag')).create({ data: { word } })
  for (const name of ['a', 'b']) await kernel.query(uidOf('author')).create({ data: { name } })
  await kernel.query(uidOf('home')).create({ data: { greeting: 'a' } })
  const { tokens } = accountsOf(kernel).mounted.tools
  const callers: [name: string, headers: Record<string, string>][] = [['nobody', {}]]
  for (const type of Object.keys(roles).slice(1)) {
    const [role] = await kernel.query(roleUid).findMany({ filters: { type } })
    const user = { username: type, email: `${type}@example.com`, confirmed: true, role: role!.id }
    const { id } = await kernel.query(userUid).create({ data: user })
    callers.push([type, { authorization: `Bearer ${tokens.issue(id, null)}` }])
  }
  for (const [type, permissions] of [
    ['full-access', undefined],
    ['custom', [...roles.role_0!.permissions]],
  ] as const) {
    const { accessKey } = await tokensOf(kernel).create({ name: type, type, ...(permissions && { permissions }) })
    callers.push([`${type} token`, { authorization: `Bearer ${accessKey}` }])
  }
  return { app, kernel, callers }
}

type Outcome = 'written' | 'closed' | 'leftOut'
type Started = Awaited<ReturnType<typeof start>>
type Names = readonly string[]
type ByOperation = Readonly<Record<string, Names>>

interface StatedRights {
  readonly contentTypes: Readonly<
    Record<
      string,
      { actions: Names; readable: ByOperation; writable: ByOperation; closed: ByOperation; parameters: ByOperation }
    >
  >
  readonly components: Readonly<Record<string, { readable: ByOperation; writable: ByOperation; closed: ByOperation }>>
  readonly actions: Names
}

/** A caller who tries what it may do. */
class Trial {
  readonly #started: Started
  readonly #api: ReturnType<typeof client>
  #articleId = 0
  /** The id of an article that may be linked. */
  otherId = 0

  constructor(started: Started, headers: Record<string, string>) {
    this.#started = started
    this.#api = client(started.app, headers)
  }

  async stated() {
    const { status, body } = await this.#api.get('/api/content-type-builder/rights')
    return status === 200 ? (body.data as StatedRights) : null
  }

  /** The operations that are not answered 403. */
  async actions(name: string): Promise<string[]> {
    const path = name === 'home' ? '/api/home' : `/api/${name}s`
    const one = name === 'home' ? path : `${path}/${noId}`
    const requests: Readonly<Record<string, () => Promise<{ status: number }>>> = {
      find: () => this.#api.get(path),
      findOne: () => this.#api.get(one),
      create: () => this.#api.post(path, { data: {} }),
      update: () => this.#api.put(one, { data: {} }),
      delete: () => this.#api.delete(`${one}?locale=none`),
    }
    const allowed: string[] = []
    for (const operation of operationsOf(name)) {
      // The only entry of a single type stays.
      if (name === 'home' && operation === 'delete') continue
      const { status } = await requests[operation]!()
      if (status !== 403 && status !== 401) allowed.push(operation)
    }
    return allowed
  }

  /** The attributes that the operation answers. */
  async readable(name: string, operation: 'find' | 'findOne', attributes: Names): Promise<string[]> {
    const id = name === 'article' ? this.#articleId : 1
    const path = name === 'home' ? '/api/home' : operation === 'find' ? `/api/${name}s` : `/api/${name}s/${id}`
    const { body } = await this.#api.get(`${path}?populate=*`)
    const entry = [(body as { data: { attributes: object } | { attributes: object }[] }).data].flat()[0]
    return attributes.filter(one => Object.hasOwn(entry?.attributes ?? {}, one))
  }

  /** The attributes of a component of articles that are answered. */
  async readableIn(uid: string, operation: string, attributes: Names): Promise<string[]> {
    const path = operation === 'find' ? '/api/articles' : `/api/articles/${this.#articleId}`
    const query = 'populate[seo][populate]=*&populate[zone][populate][seo][populate]=*&populate[zone][populate][of]=*'
    const { body } = await this.#api.get(`${path}?${query}`)
    const [entry] = [(body as { data: { attributes: Record<string, unknown> } }).data].flat()
    const { seo, zone } = (entry?.attributes ?? {}) as { seo?: object; zone?: { seo?: object }[] }
    const shown = uid === 'shared.seo' ? (seo ?? zone?.[0]?.seo) : zone?.[0]
    return attributes.filter(one => Object.hasOwn(shown ?? {}, one))
  }

  /** What becomes of the value of an attribute; of links to any type, the best of all types. */
  async writeOne(name: string, operation: 'create' | 'update', attribute: string, value: unknown): Promise<Outcome> {
    const values =
      value === anything
        ? [...Object.keys(samples), 'plugin::upload.file', userUid].map(type => ({
            connect: [{ id: type === uidOf('article') ? this.otherId : 1, __type: type }],
          }))
        : [value === anArticle ? [this.otherId] : value]
    const outcomes = new Set<Outcome>()
    for (const one of values) outcomes.add(await this.write(name, operation, { [attribute]: one }))
    return outcomes.has('written') ? 'written' : outcomes.has('closed') ? 'closed' : 'leftOut'
  }

  /** What becomes of data: `written` if other data is stored than without it. */
  async write(name: string, operation: 'create' | 'update', data: object, without: object = {}): Promise<Outcome> {
    const sent = await this.#send(name, operation, data)
    if (sent === null) return 'closed'
    return sent === (await this.#send(name, operation, without)) ? 'leftOut' : 'written'
  }

  /** What is stored after a write of a new entry, which is then deleted; null if it is refused. */
  async #send(name: string, operation: 'create' | 'update', data: object): Promise<string | null> {
    const entries = this.#started.kernel.query(uidOf(name))
    const isSingle = name === 'home'
    const made = isSingle || operation === 'create' ? null : (await entries.create({ data: {} })).id
    const path = isSingle ? '/api/home' : `/api/${name}s`
    const { status, body } = await (operation === 'create'
      ? this.#api.post(path, { data })
      : this.#api.put(isSingle ? path : `${path}/${made}`, { data }))
    if (status === 403) return null
    if (status !== 200) throw new Error(`${operation} ${name} ${JSON.stringify(data)}: ${JSON.stringify(body)}`)
    const { id } = (body as { data: { id: number } }).data
    const stored = await this.#stored(name, id)
    if (isSingle) await entries.update(id, { data: { greeting: 'a', hero: null } })
    else await entries.delete(id)
    return stored
  }

  /** An article with everything, which is read. */
  async prepare(): Promise<void> {
    const data = {
      seo: { label: 'a', by: 1 },
      zone: [{ __component: 'shared.quote', words: 'a', of: 1, seo: { label: 'b', by: 1 } }],
    }
    const articles = this.#started.kernel.query(uidOf('article'))
    for (const { id } of await articles.findMany({ publicationState: 'preview', locale: 'all' }))
      await articles.delete(id)
    this.#articleId = (await articles.create({ data })).id
    // An article that others may link.
    this.otherId = (await articles.create({ data: {} })).id
  }

  async #stored(name: string, id: number): Promise<string> {
    const nested = { populate: '*' } as const
    const entry = await this.#started.kernel
      .query(uidOf(name))
      .findOne(id, { populate: { '*': true, ...(name === 'article' && { seo: nested, zone: nested }) } } as never)
    const varying = new Set(['id', 'createdAt', 'updatedAt'])
    const isPublished = (entry as { publishedAt?: unknown } | null)?.publishedAt !== null
    return JSON.stringify({ ...entry, publishedAt: isPublished }, (key, value) =>
      varying.has(key) ? undefined : value,
    )
  }
}

t.test(`what is stated is what trying finds, PLINTH_SEED=${seed}`, async t => {
  const started = await start(t)
  for (const [caller, headers] of started.callers) {
    const trial = new Trial(started, headers)
    await trial.prepare()
    const stated = await trial.stated()
    if (stated === null) throw new Error(`${caller} may not ask`)
    for (const name of [...collections, 'home']) {
      const uid = uidOf(name)
      const own = stated.contentTypes[uid]
      const actions = await trial.actions(name)
      t.same(
        (own?.actions ?? []).filter(one => actions.includes(one)),
        actions,
        `${caller}: actions of ${name}`,
      )
      t.same(
        (own?.actions ?? []).filter(one => operationsOf(name).includes(one) && one !== 'delete'),
        actions.filter(one => one !== 'delete'),
        `${caller}: no more actions of ${name}`,
      )
      const attributes = [...started.kernel.contentTypes.require(uid).attributes.keys()]
      const inOrder = (names: Names) => attributes.filter(one => names.includes(one))
      for (const operation of ['find', 'findOne'] as const) {
        if (!actions.includes(operation)) {
          t.equal(own?.readable[operation], undefined)
          continue
        }
        const found = await trial.readable(name, operation, attributes)
        t.same(own?.readable[operation], inOrder(found), `${caller}: ${operation} shows of ${name}`)
      }
      for (const operation of ['create', 'update'] as const) {
        if (!actions.includes(operation)) {
          t.equal(own?.writable[operation], undefined)
          t.equal(own?.closed[operation], undefined)
          continue
        }
        const outcomes = new Map<string, string[]>()
        for (const [attribute, value] of Object.entries(samples[uid]!)) {
          const outcome = await trial.writeOne(name, operation, attribute, value)
          outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), attribute])
        }
        const tried = (names: Names | undefined) => names?.filter(one => Object.hasOwn(samples[uid]!, one))
        t.same(
          tried(own?.writable[operation]),
          inOrder(outcomes.get('written') ?? []),
          `${caller}: ${operation} of ${name} writes`,
        )
        t.same(
          tried(own?.closed[operation]),
          inOrder(outcomes.get('closed') ?? []),
          `${caller}: ${operation} of ${name} refuses`,
        )
      }
    }
    await checkComponents(t, trial, { stated, caller })
    const text = JSON.stringify(stated)
    if (!stated.actions.some(one => one.startsWith(uidOf('tag')))) t.notMatch(text, /api::tag/, `${caller}: no tags`)
    await checkParameters(t, started, { stated, caller, headers })
  }
})

interface Statement {
  readonly stated: StatedRights
  readonly caller: string
}

/** Components are written and read by articles. */
async function checkComponents(t: Test, trial: Trial, { stated, caller }: Statement): Promise<void> {
  const article = stated.contentTypes[uidOf('article')]
  const isReached = (uid: string, names: Names | undefined) =>
    names?.includes('zone') || (uid === 'shared.seo' && names?.includes('seo'))
  for (const [uid, attributes] of Object.entries(inComponents)) {
    const component = stated.components[uid]
    for (const operation of ['find', 'findOne']) {
      const names = article?.readable[operation]
      if (!isReached(uid, names)) t.equal(component?.readable[operation], undefined, `${caller}: ${uid} is not shown`)
      else
        t.same(
          component?.readable[operation],
          await trial.readableIn(uid, operation, Object.keys(attributes)),
          `${caller}: ${operation} shows of ${uid}`,
        )
    }
    for (const operation of ['create', 'update'] as const) {
      const names = article?.writable[operation]
      if (!isReached(uid, names)) {
        t.equal(component?.writable[operation], undefined, `${caller}: ${uid} is not written`)
        continue
      }
      for (const [name, dataOf] of Object.entries(attributes)) {
        const data = dataOf('sent')
        if (!names?.includes(Object.keys(data)[0]!)) continue
        const outcome = await trial.write('article', operation, data, dataOf(undefined))
        const said = component?.writable[operation]?.includes(name)
          ? 'written'
          : component?.closed[operation]?.includes(name)
            ? 'closed'
            : 'leftOut'
        t.equal(said, outcome, `${caller}: ${operation} of ${uid}.${name}`)
      }
    }
  }
}

/** A value that is stated is accepted; of drafts, `preview` is stated only to those who may ask for it. */
async function checkParameters(
  t: Test,
  { app }: Started,
  { stated, caller, headers }: Statement & { readonly headers: Record<string, string> },
): Promise<void> {
  const article = stated.contentTypes[uidOf('article')]
  if (!article?.actions.includes('find')) return
  const { status } = await client(app, headers).get('/api/articles?publicationState=preview')
  const { publicationState, locale } = article.parameters
  t.same(publicationState, status === 200 ? ['live', 'preview'] : ['live'], `${caller}: drafts`)
  t.same(locale, ['en', 'de'])
}

t.test('attributes of users that their plugin keeps from a caller are not writable', async t => {
  const permissions = [rights, `${userUid}.update`, `${userUid}.find`, `${roleUid}.find`]
  const members = await startMembers(t, {
    permissions: { member: permissions, manager: [...permissions, `${roleUid}.updateRole`] },
    plugins: { 'content-type-builder': true },
  })
  for (const type of ['member', 'manager']) {
    const api = await members.as(type)
    const { body } = await api.get('/api/content-type-builder/rights')
    const { update } = (body.data as StatedRights).contentTypes[userUid]!.writable
    const { id } = await members.user(`${type}-victim`, 'member')
    for (const [name, value] of Object.entries({
      username: `${type}-changed`,
      blocked: true,
      confirmed: false,
      provider: 'other',
      role: { id: (await members.of(roleUid).findMany({ filters: { type: 'member' } }))[0]!.id },
      resetPasswordToken: 'x',
      confirmationToken: 'x',
    })) {
      const { status } = await api.put(`/api/users/${id}`, { [name]: value })
      t.equal(update!.includes(name), status === 200, `${type}: ${name}`)
    }
  }
})
