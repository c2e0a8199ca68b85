// Finds what the rules of plugins let a caller send of the attributes of a type and of its components, before anything
// is sent: for documents and forms. Knows no values, so what depends on the entries that a value names is not checked.

import { type Context, systemAccess } from '../context.ts'
import type { Attribute, ContentType, Uid } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import type { LinkRules, Outcome } from './link-rules.ts'
import type { WritableAttributes, WritableRequest } from './requests.ts'
import type { RuleQueries } from './rule-queries.ts'

/** The objects that decide what may be sent. */
export interface WritabilityTools {
  readonly registry: Registry
  readonly rules: RuleQueries
  readonly links: LinkRules
}

/** Returns what may be sent of the attributes of a type, and of the components that it leads to, by uid. */
export function findWritable(
  { registry, rules, links }: WritabilityTools,
  { uid, action, context }: WritableRequest,
): ReadonlyMap<Uid, WritableAttributes> {
  const root = registry.require(uid)
  const write = { uid, action }
  const forbidden = rules.forbiddenAttributes(uid, action, context)
  const closed = rules.closedAttributes(uid, action, context)
  const outcomeOf = (type: ContentType, attribute: Attribute): Outcome => {
    if (attribute.readonly || attribute.kind === 'dormant') return 'leftOut'
    if (attribute.definition.writable === false && !isOfSystem(context)) return 'leftOut'
    const outcome = attribute.kind === 'relation' ? links.outcomeOf({ write, context }, type, attribute) : 'written'
    // Attributes that are left out are removed before forbidden ones are refused.
    if (type !== root || outcome === 'leftOut') return outcome
    if (forbidden.has(attribute.name)) return 'refused'
    return closed.has(attribute.name) ? 'leftOut' : outcome
  }
  const attributesByUid = new Map<Uid, WritableAttributes>()
  const visit = (type: ContentType) => {
    const outcomes = [...type.attributes.values()].map(attribute => [attribute, outcomeOf(type, attribute)] as const)
    const namesOf = (outcome: Outcome) => outcomes.flatMap(([{ name }, own]) => (own === outcome ? [name] : []))
    attributesByUid.set(type.uid, { writable: namesOf('written'), refused: namesOf('refused') })
    for (const [attribute, outcome] of outcomes)
      if (outcome === 'written')
        for (const one of componentsOf(attribute)) if (!attributesByUid.has(one)) visit(registry.require(one))
  }
  visit(root)
  return attributesByUid
}

const isOfSystem = ({ access }: Context) => access === systemAccess

/** The components that values of an attribute may have. */
function componentsOf(attribute: Attribute): readonly Uid[] {
  if (attribute.kind === 'component') return [attribute.component]
  return attribute.kind === 'zone' ? attribute.components : []
}
