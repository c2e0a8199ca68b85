// Finds the drafts that a form links: whoever publishes an entry should know of them.

import { entryName } from './entry-name.ts'
import type { Attribute, ContentType, Entry, Model } from './types.ts'

/** A linked entry that is a draft. */
export interface LinkedDraft {
  readonly type: ContentType
  readonly id: number
  readonly name: string
}

type Values = Readonly<Record<string, unknown>>

/** The drafts that the values link, at any depth, each once. */
export function linkedDrafts(attributes: readonly Attribute[], values: Values, model: Model): readonly LinkedDraft[] {
  const drafts = new Map<string, LinkedDraft>()
  collect(attributes, values, model, draft => drafts.set(`${draft.type.uid} ${draft.id}`, draft))
  return [...drafts.values()]
}

type Add = (draft: LinkedDraft) => void

function collect(attributes: readonly Attribute[], values: Values, model: Model, add: Add): void {
  for (const { name, type, options } of attributes) {
    const items = listOf(values[name])
    if (type === 'relation') for (const item of items) addIfDraft(item as Entry, options.target, model, add)
    if (type !== 'component' && type !== 'dynamiczone') continue
    for (const item of items) {
      const component = model.components.get(String(item.__component ?? options.component))
      if (component !== undefined) collect(component.attributes, item, model, add)
    }
  }
}

const listOf = (value: unknown): readonly Values[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value as Values]

/** Reports a linked entry that is a draft. An entry whose type or state is not known is not reported. */
function addIfDraft(entry: Entry, target: unknown, model: Model, add: Add): void {
  const type = model.typesByUid.get(String(target ?? entry.__type))
  if (type?.hasDrafts && entry.publishedAt === null) add({ type, id: entry.id, name: entryName(type, entry) })
}
