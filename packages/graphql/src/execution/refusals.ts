// Prepares a question of which the caller may not ask every part. v4 answers null and an error at the field, and the
// rest as if the part were not there; so the part is left out, and the question prepared again.

import { ForbiddenError, type Params, PlinthError, type PopulateOptions, Under, under } from '@plinth/kernel'
import type { Refusals } from '../answer/refused.ts'

/** What is left of a question, and why the rest is missing. */
export interface Allowed<Prepared> {
  readonly prepared: Prepared
  readonly refusals: Refusals
}

/** Prepares a question without its refused parts. Throws errors that concern the question as a whole. */
export function prepareAllowed<Prepared>(params: Params, prepare: (params: Params) => Prepared): Allowed<Prepared> {
  const refusals = new Map<string, Error>()
  let left = params
  for (;;) {
    try {
      return { prepared: prepare(left), refusals }
    } catch (error) {
      const found = error instanceof PlinthError ? without(left, error) : null
      if (found === null) throw error
      refusals.set(found.path, found.isField ? new ForbiddenError() : (error as Error))
      left = found.params
    }
  }
}

interface Part {
  readonly path: string
  /** Whether it is an attribute, which the caller may not read, and not a branch with an argument. */
  readonly isField?: boolean
  readonly params: Params
}

/** The question without the part that an error is about; null if it is about the question as a whole. */
function without(params: Params, { at, word }: PlinthError): Part | null {
  if (at === null || at === undefined) return null
  return removeField(params, at, word ?? null) ?? removeBranch(params, at, '')
}

/** The options of a node of a question. */
interface NodeParams {
  readonly fields?: unknown
  readonly populate?: Readonly<Record<string, Params>>
  readonly on?: Readonly<Record<string, Params>>
}

/** The options of a node, whether or not it has a key of its own. */
function optionsOf(params: Params): NodeParams {
  return (params instanceof Under ? params.options : params) as NodeParams
}

/** The same node with other options. */
function withOptions(params: Params, options: NodeParams): Params {
  return params instanceof Under
    ? (under(params.name, options as PopulateOptions) as unknown as Params)
    : { ...options }
}

/** Removes a refused attribute from the `fields` that the path names. */
function removeField(params: Params, at: string, word: string | null): Part | null {
  const fieldsAt = at.endsWith(`.${word}`) ? at.slice(0, -(word ?? '').length - 1) : at
  if (word === null || !/(?:^|\.)fields$/.test(fieldsAt)) return null
  const changed = editNode(params, fieldsAt.replace(/\.?fields$/, ''), '', node =>
    Array.isArray(node.fields) && node.fields.includes(word)
      ? { ...node, fields: node.fields.filter(one => one !== word) }
      : null,
  )
  return changed === null ? null : { path: `${fieldsAt}.${word}`, isField: true, params: changed }
}

/** Changes the node at a path; null if there is none, or if `change` returns null. */
function editNode(
  params: Params,
  at: string,
  path: string,
  change: (node: NodeParams) => NodeParams | null,
): Params | null {
  const node = optionsOf(params)
  if (at === path) {
    const changed = change(node)
    return changed === null ? null : withOptions(params, changed)
  }
  for (const list of ['populate', 'on'] as const) {
    for (const [key, child] of Object.entries(node[list] ?? {})) {
      const below = `${path === '' ? '' : `${path}.`}${list}.${key}`
      if (at !== below && !at.startsWith(`${below}.`)) continue
      const inner = editNode(child, at, below, change)
      if (inner !== null) return withOptions(params, { ...node, [list]: { ...node[list], [key]: inner } })
    }
  }
  return null
}

/** Removes the innermost branch that contains the path. */
function removeBranch(params: Params, at: string, path: string): Part | null {
  const node = optionsOf(params)
  for (const list of ['populate', 'on'] as const) {
    for (const [key, child] of Object.entries(node[list] ?? {})) {
      const below = `${path === '' ? '' : `${path}.`}${list}.${key}`
      if (at !== below && !at.startsWith(`${below}.`)) continue
      const inner = removeBranch(child, at, below)
      // The types of a union are no fields of their own.
      if (inner === null && list === 'on') continue
      const { [key]: _removed, ...others } = node[list]!
      const left = inner === null ? others : { ...node[list], [key]: inner.params }
      return { path: inner?.path ?? below, params: withOptions(params, { ...node, [list]: left }) }
    }
  }
  return null
}
