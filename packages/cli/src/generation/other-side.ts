// The other side of a relation that is generated: the attribute of the target, and where it goes. Knows no schema files but
// those of content types.

import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { nearestOf } from '../nearest.ts'
import type { Attribute } from './attribute.ts'
import { jsonText } from './files.ts'

/** The relation of the other side, and whether the own side owns the relation. */
const inverses: Readonly<Record<string, { readonly relation: string; readonly owns: boolean }>> = {
  oneToOne: { relation: 'oneToOne', owns: true },
  oneToMany: { relation: 'manyToOne', owns: false },
  manyToOne: { relation: 'oneToMany', owns: true },
  manyToMany: { relation: 'manyToMany', owns: true },
}

/** The attribute that a target gets. */
export interface OtherSide {
  /** The uid of the target. */
  readonly target: string
  readonly name: string
  readonly attribute: Attribute
}

/** A content type of the application, as its file has it. */
interface TypeFile {
  readonly uid: string
  readonly file: string
  readonly schema: unknown
}

/** The relation `name` of a new type with the other side that it names: `api::writer.writer/books`. */
export function relationOf(relation: string, value: string): Attribute {
  const [target = '', other, ...more] = value.split('/')
  if (other === undefined) return { type: 'relation', relation, target }
  if (more.length > 0 || !/^[A-Za-z]\w*$/.test(other))
    throw new Failure(
      `"${value}": the attribute of the other side must consist of letters and digits, as in ${target}/items`,
    )
  return { type: 'relation', relation, target, [inverses[relation]!.owns ? 'inversedBy' : 'mappedBy']: other }
}

/** The other sides of the relations of a new type. */
export function otherSidesOf(uid: string, attributes: Readonly<Record<string, Attribute>>): readonly OtherSide[] {
  return Object.entries(attributes).flatMap(([name, one]) => {
    const other = (one.inversedBy ?? one.mappedBy) as string | undefined
    if (other === undefined) return []
    const { relation, owns } = inverses[one.relation as string]!
    const key = owns ? 'mappedBy' : 'inversedBy'
    return {
      target: one.target as string,
      name: other,
      attribute: { type: 'relation', relation, target: uid, [key]: name },
    }
  })
}

/** The schemas of the targets with their new attributes. Throws Failure for a target that has such an attribute. */
export function withOtherSides(sides: readonly OtherSide[], types: readonly TypeFile[]): ReadonlyMap<string, object> {
  const schemas = new Map<string, { readonly attributes?: object }>()
  for (const { target, name, attribute } of sides) {
    const type = types.find(one => one.uid === target)
    if (type === undefined)
      throw new Failure(
        nearestOf(
          'content type of the application',
          target,
          types.map(one => one.uid),
        ),
      )
    const schema = schemas.get(target) ?? (type.schema as { readonly attributes?: object })
    if (Object.hasOwn(schema.attributes ?? {}, name)) throw new Failure(`${target} has an attribute "${name}" already`)
    schemas.set(target, { ...schema, attributes: { ...schema.attributes, [name]: attribute } })
  }
  return schemas
}

/**
 * Adds an other side to the file of its type, if that is JSON; prints the path, or what has to be written into a file of
 * code.
 */
export async function addOtherSide(
  dir: string,
  { target, name, attribute }: OtherSide,
  { file }: TypeFile,
): Promise<void> {
  const path = join(dir, file)
  if (!file.endsWith('.json') || !existsSync(path)) {
    console.error(
      `\nAdd the other side to the attributes of ${target} in ${file}:\n\n  ${name}: ${JSON.stringify(attribute)},\n`,
    )
    return
  }
  const schema = JSON.parse(await readFile(path, 'utf8')) as { readonly attributes?: object }
  const text = jsonText({ ...schema, attributes: { ...schema.attributes, [name]: attribute } })
  // A server that restarts at this moment reads one of the two, and never a half.
  await writeFile(`${path}~`, text)
  await rename(`${path}~`, path)
  console.log(`${file} (${name} added)`)
}
