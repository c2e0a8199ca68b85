// Models in code: what is misspelt does not compile (`tsc` reads this file), and what compiles is the schema itself.

import t from 'tap'
import { type ContentTypeSchema, defineComponent, defineContentType } from '../../src/index.ts'
import { boot, uid } from '../fixtures/boot.ts'
import { passwords } from '../fixtures/passwords.ts'

const info = { singularName: 'page', pluralName: 'pages', displayName: 'Page' }

const link = defineComponent({
  collectionName: 'components_shared_links',
  attributes: {
    label: { type: 'string', required: true },
    to: { type: 'relation', relation: 'oneToOne', target: uid('page') },
  },
})

const page = defineContentType({
  kind: 'collectionType',
  info: { ...info, description: 'free words' },
  options: { draftAndPublish: true, privateAttributes: ['secret'] },
  pluginOptions: { 'content-manager': { visible: false } },
  attributes: {
    title: { type: 'string', required: true, unique: 'perSite', minLength: 3, maxLength: 9, regex: '^x' },
    secret: { type: 'password', encryption: { rounds: 4 } },
    handle: { type: 'uid', targetField: 'title' },
    mood: { type: 'enumeration', enum: ['good', 'bad'], default: 'good' },
    size: { type: 'integer', min: 1, max: 3, default: 2, pluginOptions: { any: { thing: true } } },
    big: { type: 'biginteger', max: '99999999999999999999' },
    day: { type: 'date', default: '2024-12-31', columnName: 'the_day' },
    data: { type: 'json', default: { a: 1 } },
    parent: { type: 'relation', relation: 'manyToOne', target: 'api::page.page', inversedBy: 'children' },
    children: { type: 'relation', relation: 'oneToMany', target: 'api::page.page', mappedBy: 'parent' },
    about: { type: 'relation', relation: 'morphToMany' },
    mentions: { type: 'relation', relation: 'morphMany', target: 'api::page.page', morphBy: 'about' },
    cover: { type: 'media', multiple: false, allowedTypes: ['images'] },
    links: { type: 'component', component: 'shared.link', repeatable: true, max: 3 },
    zone: { type: 'dynamiczone', components: ['shared.link'], min: 1 },
    colour: { type: 'customField', customField: 'plugin::colours.colour', options: { format: 'hex' } },
  },
})

// Literal types are kept, and the schema is one.
const mood: readonly ['good', 'bad'] = page.attributes.mood.enum
const schema: ContentTypeSchema = page

/** Never called: each line must not compile. */
export function misspelt(): void {
  // @ts-expect-error
  defineContentType({ info, attributes: { a: { type: 'strng' } } })
  // @ts-expect-error
  defineContentType({ info, attributes: { a: { type: 'string', requierd: true } } })
  // @ts-expect-error
  defineContentType({ info, attributes: { a: { type: 'string', required: 'yes' } } })
  // @ts-expect-error
  defineContentType({ info, attributes: { a: { type: 'string', maxLength: '3' } } })
  // @ts-expect-error
  defineContentType({ info, attributes: { a: { type: 'integer', maxLength: 3 } } })
  // @ts-expect-error
  defineContentType({ info, attributes: { a: { type: 'integer', default: 'abc' } } })
  // @ts-expect-error
  defineContentType({ info, attributes: { a: { type: 'enumeration' } } })
  // @ts-expect-error
  defineContentType({ info, attributes: { a: { type: 'relation', relation: 'manyToOne' } } })
  // @ts-expect-error
  defineContentType({ info, attributes: { a: { type: 'relation', relation: 'manyToOen', target: 'x' } } })
  // @ts-expect-error
  defineContentType({ info, attributes: { a: { type: 'relation', relation: 'morphMany', target: 'x' } } })
  // @ts-expect-error
  defineContentType({ info, attributes: { a: { type: 'dynamiczone', components: [5] } } })
  // @ts-expect-error
  defineContentType({ info, colectionName: 'x', attributes: {} })
  // @ts-expect-error
  defineContentType({ info, options: { privateAttributes: 'secret' }, attributes: {} })
  // @ts-expect-error
  defineContentType({ info: { singularName: 'a', pluralName: 'b' }, attributes: {} })
  // @ts-expect-error
  defineComponent({ attributes: {} })
  // @ts-expect-error
  defineComponent({ collectionName: 'x', attributes: { a: { type: 'text', privat: true } } })
}

t.test('a model in code starts', async t => {
  t.same(mood, ['good', 'bad'])
  t.equal(schema, page)
  const components = { 'shared.link': link }
  const kernel = await boot(t, { file: ':memory:', contentTypes: [page], components, plugins: passwords })
  t.same(kernel.contentTypes.require(uid('page')).attributes.get('mood')!.definition.enum, ['good', 'bad'])
})
