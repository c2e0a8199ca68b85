// An estimate of a move: what works, what works differently, what is shut until it is decided, and what is missing.

import type { Registry } from '@plinth/kernel'
import type { InstalledPlugin, LocalPlugin } from '@plinth/v4/plugins'
import type { ReportedGuard } from '../guarded.ts'
import type { ReportedCode } from './code.ts'
import type { UnusedRows } from './stored.ts'

/** Sentences by sections. */
export interface Estimate {
  readonly works: readonly string[]
  readonly differs: readonly string[]
  readonly shut: readonly string[]
  readonly missing: readonly string[]
}

/** The part of a project that the report names and the estimate counts. */
export interface EstimatedProject {
  readonly code: ReportedCode
  /** The plugins that package.json names. */
  readonly plugins: readonly InstalledPlugin[]
  /** Those below src/plugins. */
  readonly localPlugins: readonly LocalPlugin[]
  /** Cron tasks with their times, or a sentence if they could not be read. */
  readonly cron: readonly string[]
  readonly stored: UnusedRows
}

export interface EstimateSource extends EstimatedProject {
  readonly guarded: readonly ReportedGuard[]
  readonly contentTypes: Registry
}

/** `1 route`, `2 routes`; none for nothing. */
const counted = (count: number, one: string, many = `${one}s`) =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]

const withText = (lines: readonly string[], more: string) => lines.map(one => `${one}${more}`)

export function estimateOf({
  code,
  plugins,
  localPlugins,
  cron,
  stored,
  guarded,
  contentTypes,
}: EstimateSource): Estimate {
  const types = contentTypes.values().filter(one => one.uid.startsWith('api::'))
  const components = contentTypes.values().filter(one => one.kind === 'component')
  const ofStanding = (standing: string) => plugins.filter(one => one.standing === standing)
  const shut = guarded.filter(one => !one.isOpened)
  const inGraphql = shut.filter(one => one.inGraphqlOnly)
  const shutInRest = shut.filter(one => !one.inGraphqlOnly && one.action.startsWith('api::'))
  const but = shutInRest.length === 0 ? '' : `, but for ${counted(shutInRest.length, 'action')[0]} below "guarded shut"`
  const usesOfV4 = new Set(
    code.uses.filter(one => one.what.startsWith('strapi.')).flatMap(one => one.places.map(fileOf)),
  )
  const runs = code.lifecycles.filter(one => !usesOfV4.has(one.file))
  const lost = code.lifecycles.filter(one => usesOfV4.has(one.file))
  const pluginTypes = localPlugins.flatMap(one => one.types)
  const pluginRoutes = localPlugins.flatMap(one => one.routes.filter(({ type }) => type !== 'admin'))
  return {
    works: [
      ...withText(
        counted(types.length, 'content type'),
        ` with ${types.length === 1 ? 'its' : 'their'} built-in routes${but}`,
      ),
      ...counted(components.length, 'component'),
      ...ofStanding('works').map(one => `${one.packageName}: ${one.here}`),
      ...withText(counted(runs.length, 'file of lifecycles', 'files of lifecycles'), ', which do without `strapi`'),
    ],
    differs: [
      ...ofStanding('differs').map(one => `${one.packageName}: ${one.here}`),
      ...withText(
        counted(contentTypes.customFields.settled.length, 'custom field'),
        ' with the base type, without the validation of its plugin',
      ),
    ],
    shut: [
      ...withText(
        counted(shut.length - inGraphql.length, 'action'),
        ': 403 until it is decided, because code guards or replaces it',
      ),
      ...withText(counted(inGraphql.length, 'action'), ' in GraphQL alone'),
    ],
    missing: [
      ...withText(counted(code.routes.length, 'route'), ' of own code'),
      ...withText(counted(lost.length, 'file of lifecycles', 'files of lifecycles'), ', which use `strapi`'),
      ...withText(counted(cron.length, 'cron task'), ''),
      ...ofStanding('missing').map(one => `${one.packageName}: ${one.adds}`),
      ...withText(counted(pluginTypes.length, 'content type'), ` of src/plugins${rowsOf(stored.ofPlugins)}`),
      ...withText(counted(pluginRoutes.length, 'route'), ' of src/plugins'),
      ...withText(
        counted(stored.rights.length, 'action'),
        ' that roles have a right to, and that the application does not have',
      ),
      ...withText(counted(stored.webhooks, 'webhook'), ' of v4, which @plinth/webhooks can take over'),
      ...withText(
        counted(usesOfV4.size, 'file'),
        ' of code that uses `strapi`, by the parts of it that are listed above',
      ),
    ],
  }
}

const fileOf = (place: string) => place.replace(/:\d+$/, '')

function rowsOf(tables: EstimateSource['stored']['ofPlugins']): string {
  const rows = tables.reduce((sum, one) => sum + (one.rows ?? 0), 0)
  return rows === 0 ? '' : `, with ${rows} rows`
}
