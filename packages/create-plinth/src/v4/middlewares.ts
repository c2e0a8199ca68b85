// Translates config/middlewares of a v4 project into settings of the REST API. Knows texts only.

import { type Expression, exportedValue, memberOf } from '@plinth/v4/syntax'
import MagicString from 'magic-string'
import { middlewareAdvice } from './advice.ts'
import { middlewareSettings } from './setting-names.ts'
import { isPlainObject, isSelfContained, settingsObject } from './settings-object.ts'
import { removeUnknown } from './unknown-members.ts'

/** The settings that replace config/middlewares. */
export interface RestSettings {
  /** The settings of the REST API as texts; null if code makes them, so that they can only be picked at a start. */
  readonly settings: readonly string[] | null
  /** The parts that were left out, each with its reason. */
  readonly left: readonly string[]
}

/** Throws SyntaxError. `isBase`: whether it is config/middlewares, and not a file of config/env. */
export function restSettings(text: string, isBase: boolean): RestSettings {
  const list = settingsObject(text)
  const expression = exportedValue(text)
  const elements = expression?.type === 'ArrayExpression' ? (expression.elements as readonly (Expression | null)[]) : []
  const left: string[] = []
  const settings = elements.map(one => settingOf({ text, left }, one))
  const isMade = list?.type !== 'ArrayExpression' || settings.includes(null)
  if (isMade) {
    left.push(
      'is made by code: strapi::cors and strapi::body of it are taken when the application starts, and no others',
    )
    return { settings: null, left }
  }
  const all = settings.flatMap(one => one ?? [])
  const hasCors = elements.some(one => nameIn(one) === 'strapi::cors')
  const hasSettings = all.some(one => one.startsWith('cors:'))
  if (!hasCors) return { settings: ['cors: false', ...all], left }
  return { settings: hasSettings || isBase ? all : ['cors: true', ...all], left }
}

interface List {
  readonly text: string
  readonly left: string[]
}

/** The settings of one middleware, none or one; null if they cannot be read as text. */
function settingOf({ text, left }: List, node: Expression | null): readonly string[] | null {
  const name = nameIn(node)
  if (name === null) return null
  const config = memberOf(node, 'config')
  if (!name.startsWith('strapi::')) {
    left.push(`${name || 'a middleware'} is not run: write it again as a hook of Fastify in src/index`)
    return []
  }
  if (config === undefined) return []
  const target = middlewareSettings[name]
  if (target === undefined) {
    left.push(`the settings of ${name} are not taken: ${middlewareAdvice(name)}`)
    return []
  }
  const { setting, names } = target
  if (!isPlainObject(config, names) || !isSelfContained(text, config)) return null
  const edited = new MagicString(text)
  removeUnknown({ text, edited, left }, { at: name, value: config, names })
  return [`${setting}: ${edited.slice(config.start!, config.end!)}`]
}

/** The name of a middleware, empty if it has only a path; null if it cannot be read as text. */
function nameIn(node: Expression | null): string | null {
  if (node?.type === 'StringLiteral') return node.value
  if (node?.type !== 'ObjectExpression' || node.properties.some(one => one.type === 'SpreadElement')) return null
  const name = memberOf(node, 'name')
  if (name === undefined) return memberOf(node, 'resolve') === undefined ? null : ''
  return name.type === 'StringLiteral' ? name.value : null
}
