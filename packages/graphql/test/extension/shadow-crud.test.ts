// What `shadowCRUD` switches off, and what its getters say (B-9.90 to B-9.95, service.md).

import t, { type Test } from 'tap'
import type { ExtensionService } from '../../src/index.ts'
import { start, uidOf } from '../fixtures/extended.ts'

const introspection = `{ __schema { types { name
  fields { name args { name } }
  inputFields { name }
} } }`

interface SchemaType {
  readonly name: string
  readonly fields: readonly { readonly name: string; readonly args: readonly { readonly name: string }[] }[] | null
  readonly inputFields: readonly { readonly name: string }[] | null
}

/** The names of fields and of inputs by type, of a server with these settings. */
async function schemaOf(t: Test, extend: (extension: ExtensionService) => void) {
  const { send } = await start(t, { extend })
  const { data } = await send(introspection)
  const types = new Map((data.__schema.types as SchemaType[]).map(one => [one.name, one]))
  const fields = (name: string) => (types.get(name)?.fields ?? []).map(one => one.name)
  const inputs = (name: string) => (types.get(name)?.inputFields ?? []).map(one => one.name)
  const ofTags = (name: string) => fields(name).filter(one => /tag/i.test(one))
  return {
    has: (name: string) => types.has(name),
    fields,
    inputs,
    queries: ofTags('Query'),
    mutations: ofTags('Mutation'),
  }
}

const tag = (extension: ExtensionService) => extension.shadowCRUD(uidOf('tag'))
const allQueries = ['tag', 'tags']
const allMutations = ['createTag', 'updateTag', 'deleteTag']

t.test('a whole type, and the relations that lead to it', async t => {
  const before = await schemaOf(t, () => {})
  t.ok(before.has('Tag') && before.fields('Article').includes('tags') && before.inputs('ArticleInput').includes('tags'))
  t.same([before.queries, before.mutations], [allQueries, allMutations])
  const { has, fields, inputs, queries, mutations } = await schemaOf(t, extension => tag(extension).disable())
  t.same([queries, mutations], [[], []])
  for (const name of ['Tag', 'TagEntity', 'TagInput', 'TagFiltersInput']) t.notOk(has(name), name)
  t.notOk(fields('Article').includes('tags'))
  t.notOk(inputs('ArticleInput').includes('tags'))
  t.notOk(inputs('ArticleFiltersInput').includes('tags'))
  t.ok(fields('Article').includes('author'), 'others stay')
})

t.test('queries, mutations and single actions', async t => {
  const cases: readonly [string, (extension: ExtensionService) => unknown, string[], string[]][] = [
    ['disableQueries', one => tag(one).disableQueries(), [], allMutations],
    ['disableMutations', one => tag(one).disableMutations(), allQueries, []],
    ['disableAction find', one => tag(one).disableAction('find'), ['tag'], allMutations],
    ['disableAction findOne', one => tag(one).disableAction('findOne'), ['tags'], allMutations],
    ['disableActions', one => tag(one).disableActions(['create', 'delete']), allQueries, ['updateTag']],
    ['disableActions with *', one => tag(one).disableActions(['*']), [], []],
    ['one after the other', one => tag(one).disableAction('update').disableQueries(), [], ['createTag', 'deleteTag']],
  ]
  for (const [name, extend, queries, mutations] of cases) {
    const schema = await schemaOf(t, one => void extend(one))
    t.same([schema.queries, schema.mutations], [queries, mutations], name)
    t.ok(schema.fields('Article').includes('tags'), `${name}: relations stay`)
  }
})

t.test('attributes in output, input and filters', async t => {
  const places = async (extend: (extension: ExtensionService) => unknown) => {
    const { fields, inputs } = await schemaOf(t, one => void extend(one))
    return [fields('Tag'), inputs('TagInput'), inputs('TagFiltersInput')].map(names => names.includes('rank'))
  }
  const rank = (extension: ExtensionService) => tag(extension).field('rank')
  t.same(await places(() => {}), [true, true, true])
  t.same(await places(one => rank(one).disable()), [false, false, false])
  t.same(await places(one => rank(one).disableOutput()), [false, true, true])
  t.same(await places(one => rank(one).disableInput()), [true, false, true])
  t.same(await places(one => rank(one).disableFilters()), [true, true, false])
  t.same(await places(one => rank(one).disableOutput().disableFilters()), [false, true, false])
  const { inputs } = await schemaOf(t, one => void tag(one).field('id').disableFilters())
  t.notOk(inputs('TagFiltersInput').includes('id'))
  const article = await schemaOf(t, one => void one.shadowCRUD(uidOf('article')).field('tags').disableOutput())
  t.notOk(article.fields('Article').includes('tags'), 'a relation')
})

t.test('getters', t =>
  start(t, {
    extend: extension => {
      const one = tag(extension)
      const all = () => [
        ...[one.isEnabled(), one.isDisabled(), one.areQueriesEnabled(), one.areQueriesDisabled()],
        ...[one.areMutationsEnabled(), one.areMutationsDisabled()],
        ...[one.isActionEnabled('find'), one.isActionDisabled('find'), one.isActionEnabled('create')],
      ]
      t.same(all(), [true, false, true, false, true, false, true, false, true])
      one.disableAction('find')
      t.same(all().slice(6), [false, true, true])
      one.disableQueries().disableMutations().disable()
      t.same(all(), [false, true, false, true, false, true, false, true, true])
      const field = one.field('rank')
      const ofField = () => [
        ...[field.isEnabled(), field.isDisabled(), field.hasOutputEnabled(), field.hasInputEnabled()],
        ...[field.hasFiltersEnabled(), field.hasFiltersEnabeld()],
      ]
      t.same(ofField(), [true, false, true, true, true, true])
      field.disableOutput()
      t.same(ofField(), [true, false, false, true, true, true])
      field.disableInput().disableFilters()
      t.same(ofField(), [false, true, false, false, false, false])
      t.equal(tag(extension), one, 'the same object each time')
    },
  }).then(() => t.end()),
)

t.test('names that do not exist stop the start', async t => {
  const cases: readonly [RegExp, (extension: ExtensionService) => unknown][] = [
    [/shadowCRUD\('api::tga\.tag'\).*did you mean "api::tag\.tag"/, one => one.shadowCRUD('api::tga.tag')],
    [/field\('rnk'\).*did you mean "rank"/, one => tag(one).field('rnk')],
    [/disableAction\('fnd'\).*did you mean "find"/, one => tag(one).disableAction('fnd')],
    [/disableAction\('count'\).*there are find, findOne/, one => tag(one).disableActions(['find', 'count'])],
  ]
  for (const [message, extend] of cases)
    await t.rejects(start(t, { extend: one => void extend(one) }), { message }, String(message))
})
