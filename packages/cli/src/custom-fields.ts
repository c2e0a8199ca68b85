// The part of `plinth doctor` about custom fields: those that the code of a v4 project registers, and the type that
// each attribute has got. Runs no code of the project.

import type { Registry } from '@plinth/kernel'

/** An attribute that is a custom field, as `plinth doctor --json` prints it. */
export interface ReportedField {
  readonly path: string
  readonly customField: string
  readonly type: string
  /** The source from which the type is known. */
  readonly source: string
  /** True if nobody has registered the type. */
  readonly isGuessed: boolean
  /** True if values are checked beyond their base type, by a plugin of Plinth. */
  readonly isChecked: boolean
}

/** A custom field that code of the project registers. */
export interface OwnField {
  readonly name: string
  readonly type: string
  readonly file: string
}

/** The fields that the project in `dir` registers, if it is one of v4. */
export async function ownFieldsOf(dir: string, packages: Readonly<Record<string, string>>): Promise<OwnField[]> {
  if (packages['@strapi/strapi'] === undefined) return []
  // Not at the top: the parser takes a while to load, and most commands do not need it.
  const { readCustomFields } = await import('@plinth/v4/project')
  return [...readCustomFields(dir)]
}

export function fieldsIn(contentTypes: Registry): ReportedField[] {
  return contentTypes.customFields.settled.map(({ uid, attribute, customField, type, source, isGuessed }) => {
    const settled = contentTypes.require(uid).attributes.get(attribute)
    const isChecked = settled?.kind === 'scalar' && settled.scalar.check !== undefined
    return { path: `${uid}.${attribute}`, customField, type, source, isGuessed, isChecked }
  })
}

/** A line of the report. */
export function lineOf({ path, customField, type, source, isChecked }: ReportedField): string {
  const validation = isChecked ? '' : '; the validation of its own plugin does not run'
  return `${path}: ${customField} is ${type} (${source})${validation}`
}
