// The plugins that package.json of a v4 project names. v4 enables them by their packages, also if no setting names
// them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { factsOf, type PluginFacts } from './facts.ts'

/** A plugin that a package adds. */
export interface InstalledPlugin extends PluginFacts {
  readonly packageName: string
  /** Its name in config/plugins. */
  readonly name: string
}

/** The sentence about a plugin that is not in the list. */
const unknown: PluginFacts = {
  standing: 'missing',
  adds: 'something that is not known here',
  here: 'if the API needs it, write it again as a plugin of Plinth',
}

/** The parts of v4 itself, and tools that are not plugins. */
const others = /^@strapi\/(?!plugin-)|provider|^(?:create-)?strapi$|design-system|helper-plugin|strapi-utils|sdk/

/**
 * The plugins among the packages of a project, by the names of packages. An installed package says what it is
 * (`strapi.kind`); the name decides about others.
 */
export function installedPlugins(dir: string, packages: Readonly<Record<string, string>>): readonly InstalledPlugin[] {
  return Object.keys(packages)
    .sort()
    .flatMap(packageName => {
      const { kind, name } = manifestOf(dir, packageName)
      const conventionalName = nameOf(packageName)
      const isPlugin = kind === undefined ? conventionalName !== null : kind === 'plugin'
      const own = name ?? conventionalName ?? packageName
      return isPlugin ? [{ packageName, name: own, ...(factsOf(own) ?? factsOf(packageName) ?? unknown) }] : []
    })
}

/** The name that a plugin has by convention; null if the package has none of a plugin. */
function nameOf(packageName: string): string | null {
  const [, core] = /^@strapi\/plugin-(.+)$/.exec(packageName) ?? []
  if (core !== undefined) return core
  if (others.test(packageName)) return null
  const [, name] = /^(?:@[^/]+\/)?strapi-(?:v4-)?plugin-(.+)$/.exec(packageName) ?? []
  return name ?? (/strapi/.test(packageName) ? packageName.replace(/^@[^/]+\//, '') : null)
}

/** `strapi` of the manifest of an installed package; {} if it is not installed, or says nothing. */
function manifestOf(dir: string, packageName: string): { readonly kind?: string; readonly name?: string } {
  try {
    const text = readFileSync(join(dir, 'node_modules', packageName, 'package.json'), 'utf8')
    const { strapi } = JSON.parse(text) as { strapi?: { kind?: unknown; name?: unknown } }
    return {
      ...(typeof strapi?.kind === 'string' && { kind: strapi.kind }),
      ...(typeof strapi?.name === 'string' && { name: strapi.name }),
    }
  } catch {
    return {}
  }
}
