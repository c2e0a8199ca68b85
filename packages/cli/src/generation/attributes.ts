// Reads attributes from words such as `title:string:required` and `writer:manyToOne=api::writer.writer`. Whether the
// types and targets exist is checked by the kernel, which also knows those of plugins.

import { Failure } from '../failure.ts'
import { nearestOf } from '../nearest.ts'
import type { Attribute } from './attribute.ts'
import { relationOf } from './other-side.ts'

const flags: Readonly<Record<string, Attribute>> = {
  required: { required: true },
  unique: { unique: true },
  private: { private: true },
  localized: { pluginOptions: { i18n: { localized: true } } },
}

/** The options that stand behind `=`, by the type for which they are written. */
const operands: Readonly<Record<string, (value: string) => Attribute>> = {
  enumeration: value => ({ type: 'enumeration', enum: value.split(',') }),
  uid: value => ({ type: 'uid', targetField: value }),
  component: value => ({ type: 'component', component: value }),
  components: value => ({ type: 'component', component: value, repeatable: true }),
  dynamiczone: value => ({ type: 'dynamiczone', components: value.split(',') }),
  media: value => ({ type: 'media', multiple: false, allowedTypes: value.split(',') }),
  medias: value => ({ type: 'media', multiple: true, allowedTypes: value.split(',') }),
  ...Object.fromEntries(
    ['oneToOne', 'oneToMany', 'manyToOne', 'manyToMany'].map(relation => [
      relation,
      (value: string) => relationOf(relation, value),
    ]),
  ),
}

/** The types that may stand without a value though they have one. */
const plain: Readonly<Record<string, Attribute>> = {
  uid: { type: 'uid' },
  media: { type: 'media', multiple: false },
  medias: { type: 'media', multiple: true },
}

/** The forms of the words, for the usage text. */
export const attributeHelp =
  'attributes: name:type, with :required, :unique, :private or :localized behind it, and name:type=value for enumeration=a,b, uid=title, media=images, medias=images,videos, manyToOne=api::x.x, manyToOne=api::x.x/items with the other side, component=shared.seo'

/** Returns whether one of the attributes is translated. */
export function areLocalized(attributes: Readonly<Record<string, Attribute>>): boolean {
  return Object.values(attributes).some(one => one.pluginOptions !== undefined)
}

/** The attributes of the words, by name; `title`, a string, if there are none. Throws Failure. */
export function attributesOf(words: readonly string[]): Record<string, Attribute> {
  if (words.length === 0) return { title: { type: 'string' } }
  const attributes: Record<string, Attribute> = {}
  for (const word of words) {
    const [, name, type, value, rest] = /^([^:=]+):([^:=]+)(?:=(.*?))?((?:(?<!:):(?!:)[a-z]+(?!::))*)$/.exec(word) ?? []
    if (name === undefined || type === undefined)
      throw new Failure(`"${word}" is not an attribute: write name:type, such as title:string`)
    if (!/^[A-Za-z]\w*$/.test(name))
      throw new Failure(`the name "${name}" of an attribute must consist of letters and digits`)
    if (Object.hasOwn(attributes, name)) throw new Failure(`the attribute "${name}" is named twice`)
    attributes[name] = { ...attributeOf(name, type, value), ...flagsOf(name, rest ?? '') }
  }
  return attributes
}

function attributeOf(name: string, type: string, value: string | undefined): Attribute {
  const operand = operands[type]
  if (value !== undefined) {
    if (operand === undefined)
      throw new Failure(`${name}: ${nearestOf('type with a value', type, Object.keys(operands))}`)
    return operand(value)
  }
  if (Object.hasOwn(plain, type)) return plain[type]!
  if (operand !== undefined)
    throw new Failure(`${name}: ${type} needs a value, such as ${name}:${type}=${exampleOf(type)}`)
  return { type }
}

function exampleOf(type: string): string {
  if (type === 'enumeration') return 'news,essay'
  return type.includes('To') ? 'api::writer.writer' : 'shared.seo'
}

function flagsOf(name: string, rest: string): Attribute {
  const words = rest.split(':').filter(one => one !== '')
  const options = Object.keys(flags)
  for (const flag of words)
    if (!options.includes(flag)) throw new Failure(`${name}: ${nearestOf('option', flag, options)}`)
  return Object.assign({}, ...words.map(flag => flags[flag]))
}
