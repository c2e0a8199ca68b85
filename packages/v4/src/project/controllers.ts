// The controllers and services of `src/api` (B-13.51, B-13.60, B-13.61): which methods they add or replace.

import type { SourceModule } from '../syntax/module.ts'
import { type Callable, lineOf, type Node, walk } from '../syntax/tree.ts'
import { isNothing, type ObjectValue, textOf, type Value } from '../syntax/values.ts'
import type { Code, Method } from './model.ts'
import type { Sources } from './sources.ts'

/** The controllers, or the services, of all APIs. */
export function codeOf(sources: Sources, folder: 'controllers' | 'services'): readonly Code[] {
  return sources.folders('src/api').flatMap(api =>
    sources.files(`src/api/${api}/${folder}`, false).map(({ name, path }) => {
      const place = { uid: `api::${api}.${kebab(name)}`, file: path, line: 0 }
      const module = sources.module(path)
      if (module === null) return { ...place, base: null, methods: [], fault: 'it cannot be parsed' }
      return { ...place, ...codeIn(module.exported(), module) }
    }),
  )
}

/** v4 writes names of files in kebab case (B-13.4). */
const kebab = (name: string) =>
  /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)
    ? name
    : name
        .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
        .replaceAll(/[\s_.]+/g, '-')
        .toLowerCase()

type HandlerCode = Pick<Code, 'base' | 'methods' | 'fault'>

function codeIn(value: Value, module: SourceModule): HandlerCode {
  if (value.kind !== 'factory') return methodsIn(value, module, null)
  const [first, replacing] = value.args
  const base = textOf(first)
  if (base === null) return { base, methods: [], fault: 'the type of its factory could not be read' }
  return isNothing(replacing) ? { base, methods: [], fault: null } : methodsIn(replacing!, module, base)
}

function methodsIn(value: Value, module: SourceModule, base: string | null): HandlerCode {
  const result = value.kind === 'function' ? module.resultOf(value.node) : value
  if (result.kind !== 'object')
    return { base, methods: [], fault: result.kind === 'unknown' ? result.why : 'it exports no object' }
  const fault = result.isWhole ? null : 'it has methods that only running it could tell'
  return { base, methods: methodsOf(result), fault }
}

const methodsOf = ({ members }: ObjectValue): readonly Method[] =>
  [...members].map(([name, value]) => ({
    name,
    line: value.kind === 'function' ? lineOf(value.node) : 0,
    callsSuper: value.kind === 'function' && callsSuper(value.node, name),
  }))

function callsSuper({ body }: Callable, name: string): boolean {
  let isCalled = false
  walk(body as Node, node => {
    const { object, property } = node as Node & { readonly object?: Node; readonly property?: Node & { name?: string } }
    isCalled ||= node.type === 'MemberExpression' && object?.type === 'Super' && property?.name === name
  })
  return isCalled
}
