// Makes the model of a project although some of its schemas are faulty: what a fault names is left out, until the rest is a
// model. So all faults are found, and not only the first one.

import { freezeModel, type ModelFiles, type ModelOptions } from '@plinth/kernel'
import { type CheckedModel, type Fault, faultsOf } from './faults.ts'

/** The input from which a model is made. */
export interface ModelSource {
  readonly files: ModelFiles
  /** config/database, as it was read. */
  readonly database: unknown
  /** Registers the extensions of plugins, and what is not in files. */
  readonly options: (extensions: ModelFiles['extensions']) => ModelOptions
}

type File = ModelFiles['contentTypes'][number]
type Schema = Readonly<Record<string, unknown>> & { readonly attributes?: Readonly<Record<string, unknown>> }

/** A fault that cannot be traced to a schema leaves a model without the schemas of the project. */
export async function findModel({ files, options, database }: ModelSource): Promise<CheckedModel> {
  const faults: Fault[] = []
  const left = new Set<string>()
  let { contentTypes, components, extensions } = files
  const places = new Map([...contentTypes, ...components].map(one => [one.uid, one.file]))
  // Each turn leaves something out, so it ends.
  for (;;) {
    try {
      const contentTypesFound = await freeze({ contentTypes, components, extensions }, options)
      if (faults.length > 0) return { contentTypes: contentTypesFound, faults }
      // The indexes of config/database last, as their faults are in no schema.
      const indexed = (all: ModelFiles['extensions']) => ({ ...options(all), database })
      return await freeze(files, indexed).then(
        frozenTypes => ({ contentTypes: frozenTypes, faults }),
        error => ({ contentTypes: contentTypesFound, faults: faultsOf(error, 'config/database') }),
      )
    } catch (error) {
      const schemaFaults = faultsOf(error, 'schemas')
      const place = schemaFaults[0]!.place
      const extension = extensions.find(one => one.file === place)
      const file = [...contentTypes, ...components].find(one => one.uid === place)
      if (extension === undefined && file === undefined) {
        // The plugins alone would fail too.
        if (contentTypes.length + components.length === 0) throw error
        faults.push(...schemaFaults)
        contentTypes = components = extensions = []
        continue
      }
      // A fault that only follows from a type that was left out is not reported.
      const isFollowing = ({ what }: Fault) => [...left].some(name => what.includes(`"${name}"`))
      faults.push(
        ...schemaFaults.filter(one => !isFollowing(one)).map(one => ({ ...one, place: places.get(place) ?? place })),
      )
      if (extension !== undefined) extensions = extensions.filter(one => one !== extension)
      else {
        const lessened = without(file!, schemaFaults)
        if (lessened === null) left.add(file!.uid)
        const replace = (all: readonly File[]) => all.flatMap(one => (one === file ? (lessened ?? []) : one))
        contentTypes = replace(contentTypes)
        components = replace(components)
      }
    }
  }
}

function freeze(
  files: Pick<ModelFiles, 'contentTypes' | 'components' | 'extensions'>,
  options: ModelSource['options'],
) {
  return freezeModel({
    ...options(files.extensions),
    contentTypes: files.contentTypes.map(one => ({ ...(one.schema as object), uid: one.uid })),
    components: Object.fromEntries(files.components.map(one => [one.uid, one.schema])),
  } as ModelOptions)
}

/** The file without the attributes that faults name; null if they name none, so that the whole type has to go. */
function without(file: File, faults: readonly Fault[]): File | null {
  const schema = file.schema as Schema
  const names = faults.flatMap(({ what }) => /^attributes\.([^.:]+)/.exec(what)?.[1] ?? [])
  const gone = names.filter(name => Object.hasOwn(schema.attributes ?? {}, name))
  if (gone.length === 0) return null
  const attributes = Object.fromEntries(Object.entries(schema.attributes!).filter(([name]) => !gone.includes(name)))
  return { ...file, schema: { ...schema, attributes } }
}
