// What code changes of v4's GraphQL (B-13.123): types that `shadowCRUD` switches off, and fields of the root that
// `resolversConfig` guards or `resolvers` replaces. REST is not concerned by it.

import { chainsOf, firstText } from '../syntax/chains.ts'
import type { SourceModule } from '../syntax/module.ts'
import { type Expression, lineOf, type Node, nameOf, walk } from '../syntax/tree.ts'
import { isNothing, memberOf, type Value } from '../syntax/values.ts'
import type { Guard, Operation, TypeOfProject } from './model.ts'
import type { Sources } from './sources.ts'
import { operationsOf } from './types.ts'

export function graphqlGuards(sources: Sources, types: readonly TypeOfProject[]): readonly Guard[] {
  return sources.below('src').flatMap(file => {
    const module = sources.module(file)
    return module === null ? [] : [...shadowGuards(module, file, types), ...resolverGuards(module, file, types)]
  })
}

interface About {
  readonly file: string
  readonly node: Node
  readonly why: string
}

const guards = (type: TypeOfProject, operations: readonly Operation[], { file, node, why }: About): readonly Guard[] =>
  operations.map(operation => ({
    action: `${type.uid}.${operation}`,
    file,
    line: lineOf(node),
    kind: 'start',
    why,
    shuts: 'graphql',
  }))

const reading: readonly Operation[] = ['find', 'findOne']

function shadowGuards(module: SourceModule, file: string, types: readonly TypeOfProject[]): readonly Guard[] {
  return chainsOf(module.program, ['strapi']).flatMap(({ steps, node }) => {
    const at = steps.findIndex(({ name, args }) => name === 'shadowCRUD' && args !== null)
    const change = steps[at + 1]
    if (at === -1 || !/^(?:disable|field)/.test(change?.name ?? '')) return []
    const uid = firstText(steps[at])
    const one = firstText(change) as Operation | null
    const why = `it calls shadowCRUD(…).${change!.name}`
    return types
      .filter(type => uid === null || type.uid === uid)
      .flatMap(type => {
        const all = operationsOf(type)
        const isRead = (operation: Operation) => reading.includes(operation)
        if (change!.name === 'disableQueries') return guards(type, all.filter(isRead), { file, node, why })
        if (change!.name === 'disableMutations')
          return guards(
            type,
            all.filter(operation => !isRead(operation)),
            { file, node, why },
          )
        if (change!.name === 'disableAction' && one !== null) return guards(type, [one], { file, node, why })
        return guards(type, all, { file, node, why })
      })
  })
}

function resolverGuards(module: SourceModule, file: string, types: readonly TypeOfProject[]): readonly Guard[] {
  const found: Guard[] = []
  walk(module.program as unknown as Node[], node => {
    const { key, computed, value } = node as Node & { key?: Node; computed?: boolean; value?: Expression }
    const name = node.type === 'ObjectProperty' && key !== undefined ? nameOf(key, computed === true) : null
    if (name === 'resolversConfig') found.push(...configGuards(module.evaluate(value!), { file, node, module, types }))
    if (name !== 'Query' && name !== 'Mutation') return
    const fields = module.evaluate(value!)
    const isWhole = fields.kind === 'object' && fields.isWhole
    const names = fields.kind === 'object' ? [...fields.members.keys()] : []
    const why = `its resolvers replace a field of ${name}`
    for (const field of isWhole ? names : [null, ...names])
      found.push(...fieldGuards(name, field, types, { file, node, why }))
  })
  return found
}

interface ConfigAbout {
  readonly file: string
  readonly node: Node
  readonly module: SourceModule
  readonly types: readonly TypeOfProject[]
}

function configGuards(configs: Value, { file, node, types }: ConfigAbout): readonly Guard[] {
  const why = 'its resolversConfig guards the field of GraphQL'
  const about = { file, node, why }
  if (configs.kind !== 'object') return ['Query', 'Mutation'].flatMap(root => fieldGuards(root, null, types, about))
  const read = [...configs.members].flatMap(([path, config]) => {
    const [root = '', field] = path.split('.')
    if (isOpen(config)) return []
    return fieldGuards(root, field ?? null, types, about)
  })
  return configs.isWhole
    ? read
    : [...read, ...['Query', 'Mutation'].flatMap(root => fieldGuards(root, null, types, about))]
}

/** Whether the settings of a field guard nothing. */
function isOpen(config: Value): boolean {
  if (config.kind !== 'object' || !config.isWhole) return false
  const isEmpty = (value: Value | undefined) =>
    isNothing(value) || (value!.kind === 'list' && value!.isWhole && value!.items.length === 0)
  const auth = memberOf(config, 'auth')
  const isUsual = isNothing(auth) || (auth!.kind === 'literal' && auth!.value !== true)
  return isUsual && isEmpty(memberOf(config, 'policies')) && isEmpty(memberOf(config, 'middlewares'))
}

/** The guards of the built-in field of that name; of all fields of the root for null. */
function fieldGuards(
  root: string,
  field: string | null,
  types: readonly TypeOfProject[],
  about: About,
): readonly Guard[] {
  return types.flatMap(type => {
    const met = operationsOf(type).filter(operation => {
      const isQuery = reading.includes(operation)
      if (root !== (isQuery ? 'Query' : 'Mutation')) return false
      return field === null || field === fieldOf(type, operation)
    })
    return guards(type, met, about)
  })
}

/** The name of the field that v4 makes for an action. */
function fieldOf({ isSingle, singularName, pluralName }: TypeOfProject, operation: Operation): string {
  const words = singularName.split(/[-_\s]+/).map(word => word.slice(0, 1).toUpperCase() + word.slice(1))
  if (!reading.includes(operation)) return `${operation}${words.join('')}`
  const name = operation === 'find' && !isSingle ? pluralName : singularName
  return name.replaceAll(/[-_\s]+(\w)/g, (_, letter: string) => letter.toUpperCase())
}
