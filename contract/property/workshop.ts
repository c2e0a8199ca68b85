/**
 * Content types for concurrent writes that the model of the contract lacks: polymorphic relations from both sides,
 * relations that are stored in columns, shared lists of components, a single type without locales. Only schemas.
 */

import { join } from 'node:path'

const info = (name: string, plural = `${name}s`) => ({ singularName: name, pluralName: plural, displayName: name })
const type = (name: string, attributes: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  kind: 'collectionType',
  collectionName: `workshop_${name}s`,
  info: info(name),
  attributes,
  ...more,
})
const to = (relation: string, target: string, more: Record<string, unknown> = {}) => ({
  type: 'relation',
  relation,
  target: `api::${target}.${target}`,
  ...more,
})
const text = { type: 'string' }
const list = (component: string) => ({ type: 'component', component, repeatable: true })
const one = (component: string) => ({ type: 'component', component, repeatable: false })

const plain = [
  type('box', {
    name: { type: 'string', required: true },
    code: { type: 'string', unique: true },
    size: { type: 'integer' },
    keeper: to('manyToOne', 'keeper', { inversedBy: 'boxes' }),
    labels: to('manyToMany', 'label', { inversedBy: 'boxes' }),
    stamps: to('oneToMany', 'stamp'),
    lid: one('workshop.lid'),
    parts: list('workshop.part'),
    zone: { type: 'dynamiczone', components: ['workshop.lid', 'workshop.part'] },
  }),
  type('label', { word: text, boxes: to('manyToMany', 'box', { mappedBy: 'labels' }) }),
  type('keeper', {
    name: text,
    boxes: to('oneToMany', 'box', { mappedBy: 'keeper' }),
    badge: to('oneToOne', 'badge', { mappedBy: 'keeper' }),
    cabin: to('oneToOne', 'cabin', { mappedBy: 'keeper' }),
  }),
  type('badge', { name: text, keeper: to('oneToOne', 'keeper', { inversedBy: 'badge' }) }),
  type('cabin', {
    name: text,
    keeper: to('oneToOne', 'keeper', { inversedBy: 'cabin', useJoinTable: false }),
    valley: to('manyToOne', 'valley', { inversedBy: 'cabins', useJoinTable: false }),
  }),
  type('valley', { name: text, cabins: to('oneToMany', 'cabin', { mappedBy: 'valley' }) }),
  type('folder', { title: text, items: { type: 'relation', relation: 'morphToMany' } }),
  type('pin', { word: text, subject: { type: 'relation', relation: 'morphToOne' } }),
  type('stamp', {
    name: text,
    folders: to('morphMany', 'folder', { morphBy: 'items' }),
    pins: to('morphMany', 'pin', { morphBy: 'subject' }),
  }),
  type('notice', { title: text, size: { type: 'integer' }, parts: list('workshop.part') }, { kind: 'singleType' }),
]

const shared = { pluginOptions: { i18n: { localized: false } } }
const translated = { pluginOptions: { i18n: { localized: true } } }
const brochure = type(
  'brochure',
  {
    title: { ...text, required: true, ...translated },
    edition: { type: 'integer', ...shared },
    paper: { ...text, ...shared },
    lid: { ...one('workshop.lid'), ...shared },
    lines: { ...list('workshop.line'), ...shared },
    own: { ...list('workshop.line'), ...translated },
    zone: { type: 'dynamiczone', components: ['workshop.lid', 'workshop.line'], ...shared },
    labels: to('manyToMany', 'label'),
  },
  { options: { draftAndPublish: true }, pluginOptions: { i18n: { localized: true } } },
)

const component = (name: string, attributes: Record<string, unknown>) => ({
  collectionName: `components_workshop_${name}s`,
  info: { displayName: name },
  attributes,
})
const components = {
  'workshop.lid': component('lid', { word: text, stamp: to('oneToOne', 'stamp'), marks: list('workshop.mark') }),
  'workshop.part': component('part', { word: text, serial: { type: 'string', unique: true } }),
  'workshop.line': component('line', { word: text, amount: { type: 'integer' }, marks: list('workshop.mark') }),
  'workshop.mark': component('mark', { word: text }),
}

/** The locales of the contract's application; the first one is the default. */
export const locales = ['en', 'fr', 'de']

/**
 * The applications that programs write to: that of the contract, with drafts and locales, and one without any plugin
 * but the REST API, in which the kernel takes shorter paths because there are no listeners of writes.
 */
export const applications = {
  contract: {
    dir: join(import.meta.dirname, '../app'),
    contentTypes: [...plain, brochure],
    components,
    plugins: {
      rest: { config: { defaultLimit: 25, maxLimit: 100 } },
      'draft-publish': { config: { findOne: 'v4' } },
      i18n: { config: { locales } },
      passwords: true,
    },
  },
  plain: { contentTypes: plain, components, plugins: { rest: { config: { defaultLimit: 25, maxLimit: 100 } } } },
} as const

export type Application = keyof typeof applications
