// Checks the `pluginOptions` of types and their attributes against what the enabled plugins read. Options of plugins
// that are not enabled, or that declare none, stay as they are; boot/warnings.ts names those that have no effect.

import type { TSchema } from '#typebox'
import { isRecord } from '../record.ts'
import { knownWords } from '../registration/registrar.ts'
import type { TypeDraft } from './draft.ts'
import { FaultList } from './fault-list.ts'
import { findFaults } from './faults.ts'
import { typoOf } from './typo.ts'

/** The options that plugins read, with their schemas: by the plugin, then by the option. */
export type PluginOptionSchemas = ReadonlyMap<string, Readonly<Record<string, TSchema>>>

/** Throws InvalidSchemaError for misspelt plugins and options, and for wrong values; warns of other unknown options. */
export function checkPluginOptions(
  draft: TypeDraft,
  optionSchemas: PluginOptionSchemas,
  warn: (message: string) => void,
): void {
  const faults = new FaultList(draft.source)
  const check = {
    optionSchemas,
    faults,
    warn: (path: string, fault: string) => warn(`${draft.source}: ${path}: ${fault}`),
  }
  checkLevel(draft.pluginOptions, 'pluginOptions', check)
  for (const [name, { pluginOptions }] of draft.attributes)
    if (isRecord(pluginOptions)) checkLevel(pluginOptions, `attributes.${name}.pluginOptions`, check)
  faults.throw()
}

interface Check {
  readonly optionSchemas: PluginOptionSchemas
  readonly faults: FaultList
  readonly warn: (path: string, fault: string) => void
}

function checkLevel(optionsByPlugin: Readonly<Record<string, unknown>>, path: string, check: Check): void {
  const { optionSchemas, faults } = check
  for (const [plugin, options] of Object.entries(optionsByPlugin)) {
    const at = `${path}.${plugin}`
    const schemas = optionSchemas.get(plugin)
    const meant = schemas === undefined ? typoOf(plugin, optionSchemas.keys()) : null
    if (meant !== null) faults.add(at, `unknown plugin, did you mean "${meant}"?`)
    if (schemas === undefined) continue
    if (isRecord(options)) checkOptions(options, schemas, at, check)
    else faults.add(at, 'must be an object')
  }
}

function checkOptions(
  options: Readonly<Record<string, unknown>>,
  schemas: Readonly<Record<string, TSchema>>,
  path: string,
  { faults, warn }: Check,
): void {
  const names = Object.keys(schemas)
  for (const [option, value] of Object.entries(options)) {
    const at = `${path}.${option}`
    const schema = Object.hasOwn(schemas, option) ? schemas[option] : undefined
    if (schema !== undefined) {
      for (const fault of value === null ? [] : findFaults(schema, value)) faults.add(at, fault.message)
      continue
    }
    const fault = `unknown option${knownWords(option, names)}`
    if (typoOf(option, names) === null) warn(at, fault)
    else faults.add(at, fault)
  }
}
