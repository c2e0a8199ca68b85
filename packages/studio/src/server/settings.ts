// Checks the settings of types against the model, lays them over those that v4 stored, and limits them to what a caller may
// know of.

import { type Attribute, type Kernel, StartError, suggestion } from '@plinth/kernel'
import type {} from '@plinth/upload'
import type { Config, TypeSettings } from './config.ts'

/** Attributes that every type may have without naming them. */
const ownNames = ['id', 'createdAt', 'updatedAt', 'publishedAt', 'locale']

/** Throws StartError for a type or an attribute that does not exist. */
export function checkSettings(kernel: Kernel, { types }: Config): void {
  const byUid = new Map(kernel.contentTypes.values().map(type => [type.uid, type]))
  for (const [uid, settings] of Object.entries(types)) {
    const type = byUid.get(uid)
    if (type === undefined)
      fail(`config/plugins: studio.config.types: there is no content type "${uid}"${suggestion(uid, byUid.keys())}`)
    const names = [...ownNames, ...type.attributes.keys()]
    for (const name of namesIn(settings))
      if (!names.includes(name))
        fail(`config/plugins: studio.config.types.${uid}: there is no attribute "${name}"${suggestion(name, names)}`)
  }
}

function fail(message: string): never {
  throw new StartError('PLINTH_CONFIG_INVALID', message)
}

function namesIn(settings: TypeSettings): string[] {
  const { mainField, columns = [], sort, layout = [], labels = {}, descriptions = {}, preview = '' } = settings
  const { hiddenAttributes = [], readonlyAttributes = [] } = settings
  const names = [...columns, ...layout.flat(), ...hiddenAttributes, ...readonlyAttributes]
  names.push(...Object.keys(labels), ...Object.keys(descriptions), ...namesInPreview(preview))
  if (mainField !== undefined) names.push(mainField)
  if (sort !== undefined) names.push(sort.slice(0, sort.indexOf(':')).split('.')[0]!)
  return names
}

/** Settings by the uid of a type or a component. */
export type SettingsByUid = Readonly<Record<string, TypeSettings>>

/** Lays settings over others: what the upper ones do not say of a type or an attribute, the lower ones do. */
export function layOver(upper: SettingsByUid, lower: SettingsByUid): SettingsByUid {
  const both = Object.entries(upper).map(([uid, settings]) => [uid, layOverOne(settings, lower[uid] ?? null)])
  return { ...lower, ...Object.fromEntries(both) }
}

function layOverOne(upper: TypeSettings, lower: TypeSettings | null): TypeSettings {
  if (lower === null) return upper
  return {
    ...lower,
    // Hidden attributes belong to a layout: a new layout replaces them.
    ...(upper.layout !== undefined && { hiddenAttributes: [] }),
    ...upper,
    labels: { ...lower.labels, ...upper.labels },
    descriptions: { ...lower.descriptions, ...upper.descriptions },
  }
}

/** The attributes of which a caller may know, by the uid of the type or the component. */
export type VisibleAttributes = ReadonlyMap<string, ReadonlySet<string>>

/** Limits settings to the types, components and attributes of which a caller may know. */
export function limitSettings(kernel: Kernel, settings: SettingsByUid, visible: VisibleAttributes): SettingsByUid {
  const types = new Map(kernel.contentTypes.values().map(type => [type.uid, type]))
  const isSortVisible = (uid: string, sort: string) => {
    let owner: string | null = uid
    for (const name of sort.slice(0, sort.indexOf(':')).split('.')) {
      if (owner === null || (!visible.get(owner)?.has(name) && !ownNames.includes(name))) return false
      const attribute: Attribute | undefined = types.get(owner)?.attributes.get(name)
      owner = attribute?.kind === 'relation' ? attribute.target : null
    }
    return true
  }
  return Object.fromEntries(
    Object.entries(settings).flatMap(([uid, { sort, ...others }]) => {
      const names = visible.get(uid)
      if (names === undefined) return []
      const limited = limitToNames(others, new Set([...ownNames, ...names]))
      return [[uid, { ...limited, ...(sort !== undefined && isSortVisible(uid, sort) && { sort }) }]]
    }),
  )
}

/** The settings without what names other attributes. They have no order of lists. */
function limitToNames(settings: Omit<TypeSettings, 'sort'>, names: ReadonlySet<string>): TypeSettings {
  const { mainField, columns, layout, hiddenAttributes, readonlyAttributes, labels, descriptions, preview, ...others } =
    settings
  const among = (list: readonly string[]) => list.filter(name => names.has(name))
  const texts = (byName: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(byName).filter(([name]) => names.has(name)))
  return {
    ...others,
    ...(mainField !== undefined && names.has(mainField) && { mainField }),
    ...(columns !== undefined && { columns: among(columns) }),
    ...(layout !== undefined && { layout: layout.map(among).filter(row => row.length > 0) }),
    ...(hiddenAttributes !== undefined && { hiddenAttributes: among(hiddenAttributes) }),
    ...(readonlyAttributes !== undefined && { readonlyAttributes: among(readonlyAttributes) }),
    ...(labels !== undefined && { labels: texts(labels) }),
    ...(descriptions !== undefined && { descriptions: texts(descriptions) }),
    ...(preview !== undefined && namesInPreview(preview).every(name => names.has(name)) && { preview }),
  }
}

const namesInPreview = (preview: string): string[] => [...preview.matchAll(/\{(\w+)\}/g)].map(match => match[1]!)

/**
 * The origins of media: those of the settings, and those that the plugin upload knows. Throws StartError for one that would
 * end its place in the policy.
 */
export function originsOfMedia(kernel: Kernel, { mediaOrigins }: Config): readonly string[] {
  const origins = [...mediaOrigins, ...(kernel.services.find('upload', 'origins')?.() ?? [])]
  for (const origin of origins)
    if (!/^https?:\/\/[^/\s;,]+$/.test(origin))
      fail(`studio: the provider of files names ${JSON.stringify(origin)}, which is not an origin`)
  return [...new Set(origins)]
}

/** The origins of the addresses of previews. */
export function originsOfPreviews({ types }: Config): readonly string[] {
  const addresses = Object.values(types).flatMap(({ preview }) => preview ?? [])
  const origins = addresses.flatMap(address => (address.startsWith('/') ? "'self'" : new URL(address).origin))
  return [...new Set(origins)]
}
