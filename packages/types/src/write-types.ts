// Writes the file of types from the description of a model. The text depends on the description alone, so that the same
// model gives the same file, whether it was read from files or over HTTP.

import type { AttributeDescription, ModelDescription, TypeDescription } from './description.ts'
import { comment, keyOf } from './members.ts'
import { type PluginSettings, settingsMembers } from './plugin-settings.ts'
import { quoted } from './quoted.ts'
import { sharedTypes } from './shared-types.ts'
import { nameTypes } from './type-names.ts'

type Kind = AttributeDescription['kind']
type Of<K extends Kind> = Extract<AttributeDescription, { readonly kind: K }>

/** The names of the types by uid, and the uids of content types. */
interface Names {
  readonly byUid: ReadonlyMap<string, string>
}

/** Keeps the tools of an application, whatever their settings are, from changing the file, which would make it stale. */
const forOtherTools = `/* eslint-disable */
// biome-ignore-all format: written by a program
// biome-ignore-all lint: written by a program
`

/** Writes the text of the file of types: of the content, and of the settings of the application's plugins. */
export function writeTypes(
  { types, operators, parameters }: ModelDescription,
  pluginSettings: PluginSettings = [],
): string {
  const names = { byUid: nameTypes(types) }
  // Without an export the file would not be a module, and could not declare anything global.
  const parts = types.length === 0 ? ['export {}'] : types.map(type => typeText(type, names))
  const shapes = (isComponent: boolean) =>
    types
      .filter(({ kind }) => (kind === 'component') === isComponent)
      .map(type => shapeText(type, names))
      .join('\n')
  return `// The types of the content of this application. \`plinth types\` writes this file; what is changed here is lost.
${forOtherTools}
${parts.join('\n\n')}

declare global {
  namespace Plinth {
    interface ContentTypes {
${shapes(false)}
    }
    interface Components {
${shapes(true)}
    }
    /** The query parameters of plugins. */
    interface Parameters {
${parameters.map(({ name, value }) => `      readonly ${keyOf(name)}?: ${value} | undefined`).join('\n')}
    }
    /** The settings of plugins in config/plugins. */
    interface PluginSettings {
${settingsMembers(pluginSettings)}
    }
${sharedTypes(operators)}
  }
}
`
}

function shapeText({ uid, kind, singularName, pluralName }: TypeDescription, names: Names): string {
  const name = names.byUid.get(uid)!
  const paths =
    kind === 'component'
      ? ''
      : `\n        singularName: ${quoted(singularName)}\n        pluralName: ${quoted(pluralName)}`
  return `      ${quoted(uid)}: {
        kind: '${kind}'${paths}
        values: ${name}
        privateValues: ${name}Private
        links: ${name}Links
        privateLinks: ${name}PrivateLinks
        create: ${name}Create
        update: ${name}Update
        filters: ${name}Filters
        privateFilters: ${name}Filters<'all'>
      }`
}

function typeText(type: TypeDescription, names: Names): string {
  const name = names.byUid.get(type.uid)!
  const { attributes } = type
  const values = attributes.filter(one => one.kind === 'value')
  const links = attributes.filter(one => isLink(one))
  const id = { name: 'id', text: 'number', isOptional: false, description: null }
  const text = (members: readonly Member[], opening: string) => block(opening, members)
  const isPrivate = (one: AttributeDescription) => one.isPrivate
  const isPublic = (one: AttributeDescription) => !one.isPrivate
  const answered = (chosen: readonly AttributeDescription[]) => chosen.flatMap(one => answeredMember(one))
  const summary = type.description === null ? type.uid : `${type.uid}: ${type.description}`
  return [
    text([id, ...answered(values.filter(isPublic))], `${comment(summary)}export interface ${name}`),
    text(
      answered(values.filter(isPrivate)),
      `/** Attributes that only queries with all rights return. */\nexport interface ${name}Private`,
    ),
    text(
      links.filter(isPublic).map(linkMember),
      `/** The attributes that can be populated. */\nexport interface ${name}Links`,
    ),
    text(links.filter(isPrivate).map(linkMember), `export interface ${name}PrivateLinks`),
    text(
      links.filter(isPublic).map(one => populatedMember(one, names)),
      `/** An entry with what may be populated. */\nexport interface ${name}Entry extends ${name}`,
    ),
    text(updateMembers(type, names), `/** The \`data\` of a change. */\nexport interface ${name}Update`),
    createText(type, name),
    text(
      [...junctions(name), ...filterMembers(type, names)],
      `export interface ${name}Filters<Has extends Plinth.Rights = 'caller'>`,
    ),
    `export type ${name}Field = keyof ${name}`,
    `export type ${name}Sort = Plinth.Sort<${name}Field>`,
    `export type ${name}Populate = keyof ${name}Links`,
  ].join('\n')
}

/** A member of an interface. */
interface Member {
  readonly name: string
  readonly text: string
  readonly isOptional: boolean
  readonly description: string | null
}

function block(opening: string, members: readonly Member[]): string {
  if (members.length === 0) return `${opening} {}`
  const lines = members.map(({ name, text, isOptional, description }) => {
    const lead = description === null ? '' : `  ${comment(description).trimEnd()}\n`
    return `${lead}  ${keyOf(name)}${isOptional ? '?' : ''}: ${text}`
  })
  return `${opening} {\n${lines.join('\n')}\n}`
}

const isLink = (one: AttributeDescription) => one.kind !== 'value' && !(one.kind === 'empty' && !one.isPopulatable)

function answeredMember(one: AttributeDescription): Member[] {
  if (one.kind !== 'value') return []
  const { name, isRequired, description } = one
  return [{ name, text: isRequired ? one.answered : `${one.answered} | null`, isOptional: false, description }]
}

function linkMember(one: AttributeDescription): Member {
  return { name: one.name, text: linkText(one), isOptional: false, description: one.description }
}

function linkText(one: AttributeDescription): string {
  switch (one.kind) {
    case 'relation':
      return `{ ${one.isMany ? 'many' : 'one'}: ${quoted(one.target)}${one.isNullOverRest ? '; orNull: true' : ''} }`
    case 'component':
      return `{ ${one.isMany ? 'many' : 'one'}: ${quoted(one.component)} }`
    case 'zone':
      return `{ zone: ${unionOf(one.components.map(uid => quoted(uid)))} }`
    case 'morph':
      return `{ any: '${one.isMany ? 'many' : 'one'}' }`
    default:
      return `{ empty: '${(one as Of<'empty'>).isMany ? 'many' : 'one'}' }`
  }
}

const unionOf = (texts: readonly string[]) => (texts.length === 0 ? 'never' : texts.join(' | '))

function populatedMember(one: AttributeDescription, names: Names): Member {
  return { name: one.name, text: populatedText(one, names), isOptional: true, description: one.description }
}

function populatedText(one: AttributeDescription, { byUid }: Names): string {
  const list = (name: string, isMany: boolean) => (isMany ? `${name}[]` : `${name} | null`)
  switch (one.kind) {
    case 'relation':
      return list(`${byUid.get(one.target)}Entry`, one.isMany)
    case 'component':
      return list(`${byUid.get(one.component)}Entry`, one.isMany)
    case 'zone': {
      const members = one.components.map(uid => `({ __component: ${quoted(uid)} } & ${byUid.get(uid)}Entry)`)
      return `(${unionOf(members)})[]`
    }
    case 'morph':
      return list('({ id: number; __type: string } & Record<string, unknown>)', one.isMany)
    default:
      return (one as Of<'empty'>).isMany ? 'never[]' : 'null'
  }
}

/** The members of the `data` of a change. A single component that is changed in place names its id. */
function updateMembers({ kind, attributes, incompleteWith }: TypeDescription, names: Names): Member[] {
  const id = kind === 'component' ? [{ name: 'id', text: 'Plinth.Id', isOptional: true, description: null }] : []
  const members = attributes.flatMap(one => {
    if (!one.isWritable || one.kind === 'empty') return []
    const isNullable = !one.isRequired || incompleteWith !== null || one.kind !== 'value'
    const sent = sentText(one, names)
    const text = isNullable && !sent.startsWith('Plinth.Sent') ? `${sent} | null` : sent
    return [{ name: one.name, text, isOptional: true, description: one.description }]
  })
  return [...id, ...members]
}

function sentText(one: Exclude<AttributeDescription, { readonly kind: 'empty' }>, { byUid }: Names): string {
  switch (one.kind) {
    case 'value':
      return one.input
    case 'relation':
      return one.isMany ? 'Plinth.SentLinks' : 'Plinth.SentLink'
    case 'morph':
      return one.isMany ? 'Plinth.SentAnys' : 'Plinth.SentAny'
    case 'component': {
      const name = `${byUid.get(one.component)}Create`
      return one.isMany ? `readonly ${name}[]` : name
    }
    case 'zone': {
      const members = one.components.map(uid => `({ readonly __component: ${quoted(uid)} } & ${byUid.get(uid)}Create)`)
      return `readonly (${unionOf(members)})[]`
    }
  }
}

function createText({ attributes, incompleteWith }: TypeDescription, name: string): string {
  const needed = attributes.filter(one => one.isRequired && one.isWritable && !one.hasDefault && one.kind !== 'empty')
  const lead = '/** The `data` of a new entry. */\n'
  if (needed.length === 0) return `${lead}export type ${name}Create = ${name}Update`
  const complete = `Plinth.Needs<${name}Update, ${unionOf(needed.map(one => quoted(one.name)))}>`
  if (incompleteWith === null) return `${lead}export type ${name}Create = ${complete}`
  const values = Object.entries(incompleteWith).map(
    ([key, value]) => `readonly ${keyOf(key)}: ${JSON.stringify(value)}`,
  )
  return `${lead}export type ${name}Create = ${complete} | (${name}Update & { ${values.join('; ')} })`
}

function junctions(name: string): Member[] {
  const filters = `${name}Filters<Has>`
  return [
    { name: '$and', text: `readonly ${filters}[]`, isOptional: true, description: null },
    { name: '$or', text: `readonly ${filters}[]`, isOptional: true, description: null },
    { name: '$not', text: filters, isOptional: true, description: null },
    { name: 'id', text: 'Plinth.Test<Plinth.Id>', isOptional: true, description: null },
  ]
}

function filterMembers({ attributes }: TypeDescription, names: Names): Member[] {
  return attributes.flatMap(one => {
    const text = filterText(one, names)
    if (text === null) return []
    return [
      {
        name: one.name,
        text: one.isPrivate ? `Plinth.Private<Has, ${text}>` : text,
        isOptional: true,
        description: null,
      },
    ]
  })
}

/** The filter of an attribute; null if it has none. */
function filterText(one: AttributeDescription, { byUid }: Names): string | null {
  switch (one.kind) {
    case 'value':
      return `Plinth.Test<${one.operand}>`
    case 'relation':
      return `Plinth.Test<Plinth.Id> | ${byUid.get(one.target)}Filters<Has>`
    case 'component':
      return `Plinth.Test<Plinth.Id> | ${byUid.get(one.component)}Filters<Has>`
    default:
      return null
  }
}
