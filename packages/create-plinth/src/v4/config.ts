// Translates config/server and config/database of a v4 project. Knows texts only: the files are read and written
// elsewhere.

import { posix } from 'node:path'
import { bareOf, type Expression, exportedValue, type Member, namedMembersOf } from '@plinth/v4/syntax'
import MagicString from 'magic-string'
import { serverAdvice } from './advice.ts'
import { removeMember } from './member-removal.ts'
import { type Node, nodesIn, statementsOf, usesIn } from './syntax-tree.ts'
import { withoutUnused } from './unused-declarations.ts'

/** A translated file, and what of it was left out, each with its reason. */
export interface Translation {
  readonly text: string
  readonly left: readonly string[]
}

const ofServer = ['host', 'port', 'proxy', 'url', 'serverTiming']

/**
 * config/server stays as it is, and settings without an effect are named. Cron tasks go with all that only they need,
 * and so do other settings without an effect that need another file or package. Throws SyntaxError.
 */
export function translateServer(text: string): Translation {
  const others = namedMembersOf(exportedValue(text)).filter(one => !ofServer.includes(one.name))
  const left = others.map(({ name }) => `${name}: ${serverAdvice(name)}`)
  const imported = importedIn(text)
  const gone = others.filter(member => member.name === 'cron' || needsOthers(text, member, imported))
  if (gone.length === 0) return { text, left }
  const edited = new MagicString(text)
  for (const member of gone) removeMember({ text, edited }, member)
  const newText = edited.toString()
  return { text: text.trimStart().startsWith('{') ? newText : withoutUnused(newText, text), left }
}

/** The names that a file imports, and those that are made of them. */
function importedIn(text: string): ReadonlySet<string> {
  if (text.trimStart().startsWith('{')) return new Set()
  const names = new Set<string>()
  for (const statement of statementsOf(text)) {
    if (statement.type === 'ImportDeclaration')
      for (const one of statement.specifiers as readonly Node[]) names.add(String((one.local as Node).name))
    if (statement.type !== 'VariableDeclaration') continue
    const uses = usesIn([statement]).map(one => one.name)
    if (uses.includes('require') || uses.some(one => names.has(one))) for (const one of uses) names.add(one)
  }
  return names
}

/** Returns whether a setting is made of what a file imports, or of `strapi`. */
function needsOthers(text: string, { start, end }: Member, imported: ReadonlySet<string>): boolean {
  const words = usesIn(statementsOf(`({${text.slice(start, end)}})`)).map(one => one.name)
  return words.some(one => imported.has(one) || one === 'require' || one === 'strapi')
}

/**
 * config/database stays, but for the file of SQLite: v4's files find it from their own folder, which in TypeScript is a
 * built one, and Plinth finds it from the application. `built`: the folder from which v4 has run the file. Throws
 * SyntaxError.
 */
export function translateDatabase(text: string, built: string): Translation {
  if (text.trimStart().startsWith('{')) return { text, left: [] }
  const edited = new MagicString(text)
  const isMember = ({ node }: { node: Node }) =>
    node.type === 'ObjectProperty' && (node.key as Node).name === 'filename'
  for (const { node } of [...nodesIn(statementsOf(text))].filter(isMember)) {
    const call = bareOf(node.value as unknown as Expression)
    const path = pathFrom(text, call, built)
    if (path !== null) edited.overwrite(call.start!, call.end!, path)
  }
  const newText = edited.toString()
  return { text: newText === text ? text : withoutUnused(newText, text), left: [] }
}

/** `path.join(__dirname, …)` as a path from the application; null for anything else. */
function pathFrom(text: string, call: Expression, built: string): string | null {
  if (call.type !== 'CallExpression') return null
  const callee = text.slice(call.callee.start!, call.callee.end!)
  const [first, ...others] = call.arguments
  if (!/^(?:\w+\.)?(?:join|resolve)$/.test(callee)) return null
  if (first?.type !== 'Identifier' || first.name !== '__dirname') return null
  let folder = built
  while (others[0]?.type === 'StringLiteral' && !others[0].value.startsWith('/'))
    folder = posix.join(folder, (others.shift() as { readonly value: string }).value)
  const texts = others.map(one => text.slice(one.start!, one.end!))
  const base = folder === '.' || folder === './' ? [] : [`'${folder}'`]
  const parts = [...base, ...texts]
  if (parts.length < 2) return parts[0] ?? null
  // `resolve` would make it absolute, from the folder of the process.
  return callee === 'resolve' ? null : `${callee.replace('.resolve', '.join')}(${parts.join(', ')})`
}
