// Compiles the rules of the settings: which content types and operations each one concerns, its filters as conditions,
// and what several rules for one operation mean together. All mistakes are reported at once.

import { type Condition, type ContentType, or, PluginConfigError, StartError, suggestion } from '@plinth/kernel'
import type { RuleFilters } from './filters.ts'
import { isSelective } from './narrow.ts'
import { noRules, type Operation, type OperationRule, operations, type RoleRules, RuleFault } from './rule.ts'
import type { RuleConfig } from './schema.ts'

/** The parts of the kernel that the compilation needs. */
export interface RuleModel {
  readonly types: readonly ContentType[]
  readonly filters: RuleFilters
  /** The actions that a name or a pattern stands for; throws StartError if there are none. */
  match(pattern: string): readonly string[]
  /** The name of the action of an operation. */
  actionOf(uid: string, operation: Operation): string
}

/** A rule for one content type, with its filters parsed. */
interface ParsedRule {
  readonly where: Condition | null
  readonly check: Condition | null
  readonly fields: readonly string[]
}

/** The rules by the type of the role. Throws PluginConfigError with all mistakes. */
export function compileRules(
  config: Readonly<Record<string, readonly RuleConfig[]>>,
  model: RuleModel,
): ReadonlyMap<string, RoleRules> {
  const faults: string[] = []
  const compiled = new Map<string, RoleRules>()
  for (const [role, rules] of Object.entries(config)) {
    const parsed = new Map<string, Map<Operation, ParsedRule[]>>()
    for (const [i, rule] of rules.entries()) {
      try {
        addRule(parsed, rule, model, `users-permissions.config.rules.${role}[${i}]`)
      } catch (error) {
        if (!(error instanceof StartError)) throw error
        faults.push(error.message)
      }
    }
    compiled.set(role, parsed.size === 0 ? noRules : combineTypes(parsed))
  }
  if (faults.length > 0) throw new PluginConfigError(faults)
  return compiled
}

function addRule(
  parsed: Map<string, Map<Operation, ParsedRule[]>>,
  rule: RuleConfig,
  model: RuleModel,
  place: string,
): void {
  const concerned = concernedBy(rule, model, place)
  checkEffect(rule, new Set(concerned.flatMap(one => one.operations)), place)
  for (const { type, operations } of concerned) {
    const own = parseRule(rule, type, model.filters, place)
    const byOperation = parsed.get(type.uid) ?? new Map<Operation, ParsedRule[]>()
    parsed.set(type.uid, byOperation)
    for (const operation of operations) byOperation.set(operation, [...(byOperation.get(operation) ?? []), own])
  }
}

/** The content types and operations that the action of a rule stands for. */
function concernedBy({ action }: RuleConfig, model: RuleModel, place: string) {
  const actions = new Set(matching(action, model, place))
  const concerned = model.types
    .map(type => ({
      type,
      operations: operations.filter(operation => actions.has(model.actionOf(type.uid, operation))),
    }))
    .filter(one => one.operations.length > 0)
  if (concerned.length > 0) return concerned
  const words = 'is not an action that finds, creates, updates or deletes entries of a content type'
  throw new RuleFault(`${place}.action`, `${JSON.stringify(action)} ${words}`)
}

function matching(action: string, model: RuleModel, place: string): readonly string[] {
  try {
    return model.match(action)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    throw new RuleFault(`${place}.action`, error.message)
  }
}

/** Throws RuleFault for a part of a rule that no operation would use. */
function checkEffect({ where, check, fields }: RuleConfig, concerned: ReadonlySet<Operation>, place: string): void {
  if (where === undefined && check === undefined && fields === undefined)
    throw new RuleFault(place, 'has no effect: it needs where, check or fields')
  if (check !== undefined && !concerned.has('create') && !concerned.has('update'))
    throw new RuleFault(`${place}.check`, 'has no effect: only creations and updates are checked')
  const usesFields = operations.some(one => one !== 'delete' && concerned.has(one))
  if (fields !== undefined && !usesFields) throw new RuleFault(`${place}.fields`, 'has no effect on a deletion')
}

function parseRule(rule: RuleConfig, type: ContentType, filters: RuleFilters, place: string): ParsedRule {
  const { where, check, fields = [] } = rule
  for (const [i, name] of fields.entries()) {
    if (type.attributes.has(name)) continue
    const fault = `${type.uid} has no attribute "${name}"${suggestion(name, type.attributes.keys())}`
    throw new RuleFault(`${place}.fields[${i}]`, name === 'id' ? 'the id cannot be hidden' : fault)
  }
  return {
    where: where === undefined ? null : filters.parse(type, where, `${place}.where`),
    check: check === undefined ? null : filters.parse(type, check, `${place}.check`),
    fields,
  }
}

function combineTypes(parsed: ReadonlyMap<string, ReadonlyMap<Operation, readonly ParsedRule[]>>): RoleRules {
  const types = new Map<string, Partial<Record<Operation, OperationRule>>>()
  for (const [uid, byOperation] of parsed) {
    const own: Partial<Record<Operation, OperationRule>> = {}
    for (const [operation, rules] of byOperation) own[operation] = combine(operation, rules)
    // An entry that a list hides must not be found by its id.
    if (own.find !== undefined) own.findOne ??= own.find
    types.set(uid, own)
  }
  return types
}

/**
 * The rules for one operation are alternatives: an entry must fulfil one of them. A rule that only has `fields` says
 * nothing about entries, and is not an alternative. What any rule hides is hidden, because one plan serves all entries.
 */
function combine(operation: Operation, rules: readonly ParsedRule[]): OperationRule {
  const isWrite = operation === 'create' || operation === 'update'
  const alternatives = rules.filter(({ where, check }) => where !== null || (isWrite && check !== null))
  const wheres = alternatives.map(({ where }) => where)
  const checks = alternatives.map(({ where, check }) => check ?? where)
  const where = anyOf(wheres)
  return {
    where,
    check: isWrite ? anyOf(checks) : null,
    isNarrow: where !== null && isSelective(where),
    hidden: [...new Set(rules.flatMap(one => one.fields))],
  }
}

/** Null, which everything fulfils, if there is no alternative or one that demands nothing. */
function anyOf(alternatives: readonly (Condition | null)[]): Condition | null {
  const conditions = alternatives.filter(one => one !== null)
  if (conditions.length === 0 || conditions.length < alternatives.length) return null
  return conditions.length === 1 ? conditions[0]! : or(...conditions)
}
