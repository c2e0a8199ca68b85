// The custom fields of a v4 project: those that its code registers, and what becomes of each attribute of its schemas.
// Runs no code of the project.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { knownFields } from '@plinth/custom-fields/known-fields'
import type { OwnField } from '@plinth/v4/project'

/** The files of a project that are copied, and the lines about what is left. */
interface Files {
  readonly copied: readonly string[]
  readonly imported: readonly string[]
  readonly left: readonly string[]
}

/**
 * The files of a project, with a line for each custom field of its schemas. `own`: the fields that its code registers.
 */
export async function fieldsOf(
  dir: string,
  files: Files,
  own: readonly OwnField[],
): Promise<Files & { readonly baseTypes: Readonly<Record<string, string>> }> {
  const lines: string[] = []
  for (const path of files.copied) {
    if (!path.endsWith('.json')) continue
    for (const [name, field] of await customFieldsIn(join(dir, path)))
      lines.push(`${path}: ${name} is the custom field ${field}: ${fateOf(field, own)}`)
  }
  const baseTypes = Object.fromEntries(own.map(one => [one.name, one.type]))
  return { ...files, left: [...files.left, ...lines], baseTypes }
}

/** The custom fields of a schema by its attributes; none of a file that is not a schema, which a start refuses. */
async function customFieldsIn(path: string): Promise<[string, string][]> {
  try {
    const { attributes } = JSON.parse(await readFile(path, 'utf8')) as { attributes?: Record<string, unknown> }
    return Object.entries(attributes ?? {}).flatMap(([name, definition]) => {
      const { type, customField } = (definition ?? {}) as { type?: unknown; customField?: unknown }
      return type === 'customField' ? [[name, String(customField)] as [string, string]] : []
    })
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

/** The base type of a field, who says so, and what does not come along. */
function fateOf(name: string, own: readonly OwnField[]): string {
  const registered = own.find(one => one.name === name)
  const validation = 'the validation of its plugin is not run'
  if (registered !== undefined)
    return `its values are of the type ${registered.type}, as ${registered.file} says; ${validation}`
  if (knownFields[name] !== undefined) return `its values are of the type ${knownFields[name]}; ${validation}`
  return `its values are of the type of their column; name another one in custom-fields.config.baseTypes of config/plugins; ${validation}`
}
