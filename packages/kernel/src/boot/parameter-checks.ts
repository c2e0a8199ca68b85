// Checks the definitions of query parameters and operators at run time: for plugins that are written without types, and
// for rules that types cannot express.

import { Compile } from '#typebox'
import { actions } from '../hooks/hook-checks.ts'
import type { DeletedRule, ParameterDefinition } from '../plan/parameters.ts'
import type { Operator } from '../query/operators.ts'
import type { ParameterOffer } from '../query/parameter-syntax.ts'
import { checkEachOf, checkOneOf, checkSync, checkWords, shown, type Words } from '../registration/checks.ts'
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
  choices: 'optional',
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
  for (const key of ['for', 'shape', 'plan', 'fallback', 'refuse', 'choices'] as const)
    checkSync(key, definition[key], refuse)
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
