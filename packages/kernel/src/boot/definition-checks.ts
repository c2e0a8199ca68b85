// Checks the definitions of parameters, operators, strategies and plugins at run time: for plugins that are written
// without types, and for rules that types cannot express.

import { Compile } from '#typebox'
import type { AuthStrategy } from './auth.ts'
import { checkCommands } from './commands.ts'
import type { PluginDefinition } from './plugins.ts'
import type { Operator } from '../query/operators.ts'
import type { DeletedRule, ParameterDefinition } from '../plan/parameters.ts'
import type { ParameterOffer } from '../query/parameters.ts'
import {
  checkEachOf,
  checkFunction,
  checkOneOf,
  checkSync,
  checkTexts,
  checkWords,
  shown,
  type Words,
} from '../registration/checks.ts'
import { actions } from '../hooks/hook-checks.ts'
import type { Refuse } from '../registration/registrar.ts'

/** The parameters of queries without any plugin, at the root and below a populate. */
const builtIn = ['filters', 'sort', 'fields', 'populate', 'pagination', '_q', 'data', 'on', 'count', 'start', 'limit']

const parameterWords: Words<ParameterDefinition> = {
  name: 'needed',
  schema: 'needed',
  for: 'needed',
  actions: 'needed',
  depth: 'needed',
  shape: 'needed',
  plan: 'needed',
  fallback: 'optional',
  rootOnly: 'optional',
  isFixed: 'optional',
  fallbackShape: 'optional',
  refuse: 'optional',
  offer: 'optional',
  deleted: 'optional',
}

const places = ['many', 'one', 'nested', 'writes'] as const
const offerWords: Words<ParameterOffer> = {
  many: 'optional',
  one: 'optional',
  nested: 'optional',
  writes: 'optional',
  default: 'optional',
  typeName: 'optional',
  description: 'optional',
  refuseLiteral: 'optional',
}

/** Refuses a parameter that could not be sent, or that could never act. */
export function checkParameter(definition: ParameterDefinition, refuse: Refuse): void {
  checkWords(definition, parameterWords, refuse)
  if (typeof definition.name !== 'string' || !/^[A-Za-z_][\w-]*$/.test(definition.name))
    refuse(`name must consist of letters, digits, "_" and "-", found ${shown(definition.name)}`)
  if (builtIn.includes(definition.name)) refuse('is a built-in parameter of every query; choose another name')
  if (definition.schema === null || typeof definition.schema !== 'object') refuse('schema must be a TypeBox schema')
  checkEachOf('actions', definition.actions, actions, refuse)
  checkOneOf('depth', definition.depth, ['root', 'every'], refuse)
  for (const key of ['for', 'shape', 'plan', 'fallback', 'refuse'] as const) checkSync(key, definition[key], refuse)
  if (definition.offer !== undefined) checkOffer(definition, definition.offer, refuse)
  if (definition.deleted !== undefined) checkDeletedRule(definition.deleted, refuse)
}

/** Refuses an offer that no transport could use: a misspelt place, or a default that the schema refuses. */
function checkOffer({ schema, rootOnly }: ParameterDefinition, offer: ParameterOffer, refuse: Refuse): void {
  const refuseOffer: Refuse = (fault, code) => refuse(`offer: ${fault}`, code)
  checkWords(offer, offerWords, refuseOffer)
  for (const key of places)
    if (!['boolean', 'undefined'].includes(typeof offer[key]))
      refuseOffer(`${key} must be true or false, found ${shown(offer[key])}`)
  if (offer.nested === true && rootOnly === true) refuseOffer('nested has no effect on a parameter with rootOnly')
  const { typeName = 'x', description = '' } = offer
  if (typeof typeName !== 'string' || !/^[A-Za-z]\w*$/.test(typeName))
    refuseOffer(`typeName must consist of letters, digits and "_", found ${shown(typeName)}`)
  if (typeof description !== 'string') refuseOffer(`description must be a text, found ${shown(description)}`)
  checkSync('refuseLiteral', offer.refuseLiteral, refuseOffer)
  if (offer.default !== undefined && !Compile(schema).Check(offer.default))
    refuseOffer(`default must fit the schema, found ${shown(offer.default)}`)
}

function checkDeletedRule(rule: DeletedRule, refuse: Refuse): void {
  const refuseRule: Refuse = (fault, code) => refuse(`deleted: ${fault}`, code)
  checkWords<DeletedRule>(rule, { attribute: 'needed', isShown: 'needed' }, refuseRule)
  if (typeof rule.attribute !== 'string' || rule.attribute === '')
    refuseRule(`attribute must be the name of an attribute, found ${shown(rule.attribute)}`)
  checkSync('isShown', rule.isShown, refuseRule)
}

const operands: Readonly<Record<Operator['operand'], true>> = { one: true, list: true, pair: true, flag: true }

const operatorWords: Words<Operator> = {
  name: 'needed',
  operand: 'needed',
  text: 'optional',
  comparison: 'optional',
  sql: 'optional',
  encode: 'optional',
}

/** Refuses an operator that no filter could use. */
export function checkOperator(operator: Operator, refuse: Refuse): void {
  checkWords(operator, operatorWords, refuse)
  if (!/^\$[A-Za-z]+$/.test(operator.name))
    refuse(`the name of an operator must be "$" followed by letters, found ${shown(operator.name)}`)
  checkOneOf('operand', operator.operand, Object.keys(operands), refuse)
  if (operator.sql === undefined && operator.comparison === undefined) refuse('sql is missing')
  if (operator.operand === 'flag') refuse('operand "flag" is for $null and $notNull; use "one"')
  checkSync('sql', operator.sql, refuse)
  checkSync('encode', operator.encode, refuse)
}

/** Refuses a strategy that could not be called. */
export function checkStrategy(strategy: AuthStrategy, options: { readonly order?: unknown }, refuse: Refuse): void {
  if (strategy === null || typeof strategy !== 'object') refuse(`must be an object, found ${shown(strategy)}`)
  if (typeof strategy.name !== 'string' || strategy.name === '') refuse('name is missing')
  if (typeof strategy.authenticate !== 'function') refuse('authenticate must be a function')
  checkWords<{ order: unknown }>(options, { order: 'optional' }, refuse)
  if (options.order !== undefined) checkOneOf('order', options.order, ['pre', 'post'], refuse)
}

const pluginWords: Words<PluginDefinition> = {
  name: 'needed',
  config: 'optional',
  dependencies: 'optional',
  after: 'optional',
  typeOptions: 'optional',
  pluginOptions: 'optional',
  secretNames: 'optional',
  tables: 'optional',
  commands: 'optional',
  register: 'needed',
  bootstrap: 'optional',
  destroy: 'optional',
}

/** Refuses a plugin with keys that are not known, or without those that it needs. */
export function checkPlugin(definition: PluginDefinition, refuse: Refuse): void {
  checkWords(definition, pluginWords, refuse)
  if (typeof definition.name !== 'string' || definition.name === '') refuse('name must be a non-empty string')
  const { config } = definition as { readonly config?: unknown }
  if (config !== undefined && (config === null || typeof config !== 'object'))
    refuse(`config must be a TypeBox schema, found ${shown(config)}`)
  for (const key of ['typeOptions', 'pluginOptions'] as const) checkSchemas(key, definition[key] ?? {}, refuse)
  for (const key of ['dependencies', 'after', 'secretNames', 'tables'] as const)
    checkTexts(key, definition[key], refuse)
  const misnamed = definition.secretNames?.find(one => !/^[A-Za-z][\w-]*$/.test(one))
  if (misnamed !== undefined)
    refuse(`secretNames must consist of letters, digits, "_" and "-", found ${shown(misnamed)}`)
  for (const key of ['register', 'bootstrap', 'destroy'] as const) checkFunction(key, definition[key], refuse)
  checkCommands(definition.commands, refuse)
}

function checkSchemas(key: string, given: unknown, refuse: Refuse): void {
  const areSchemas = typeof given === 'object' && given !== null && !Array.isArray(given)
  if (!areSchemas || !Object.values(given).every(one => typeof one === 'object' && one !== null))
    refuse(`${key} must be an object of TypeBox schemas, found ${shown(given)}`)
}
