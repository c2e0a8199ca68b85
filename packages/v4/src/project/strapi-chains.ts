// Follows what code of a project does with `strapi`, under whichever name: that of v4, those of functions that are
// handed it, and other objects that are used in a way in which only `strapi` is.

import { type Chain, chainsOf, openChainsOf, type Step } from '../syntax/chains.ts'
import type { SourceModule } from '../syntax/module.ts'
import { followNames } from './handed.ts'
import type { Sources } from './sources.ts'

/** A chain, and the file in which it stands. */
export interface ChainIn {
  readonly chain: Chain
  readonly module: SourceModule
}

/** The chains in all code of the project, each once. */
export function strapiChains(sources: Sources): readonly ChainIn[] {
  // Most files do not use it, and need not be walked for it.
  const has = (file: string, words: RegExp) => words.test(sources.text(file))
  const modules = sources
    .code()
    .filter(file => has(file, /strapi\b|::|\bserver\b/))
    .flatMap(file => sources.module(file) ?? [])
  const { names } = followNames(
    sources,
    modules.map(module => ({ module, name: 'strapi' })),
  )
  const byModule = Map.groupBy(names, one => one.module)
  return [...byModule].flatMap(([module, own]) => {
    const chains = chainsOf(
      module.program,
      own.map(({ name }) => name),
    )
    const nodes = new Set(chains.map(({ node }) => node))
    const isOpen = has(module.path, /(?:controller|service|contentType)s?\b[\s\S]*::|\bserver\b/)
    const others = isOpen ? openChainsOf(module.program, isStrapi).filter(({ node }) => !nodes.has(node)) : []
    return [...chains, ...others].map(chain => ({ chain, module }))
  })
}

/** `app.controller('api::note.note')`, `app.server.use(…)`: no other object is used so. */
function isStrapi([first, second]: readonly Step[]): boolean {
  const names = /^(?:controller|service|contentType)s?$/
  const uid = first?.args?.[0] === undefined ? second?.name : textIn(first)
  if (names.test(first?.name ?? '')) return uid?.includes('::') === true
  return first?.name === 'server' && second?.args !== null && second?.name === 'use'
}

function textIn({ args }: Step): string | null {
  const [first] = args ?? []
  return first?.type === 'StringLiteral' ? first.value : null
}
