// The ranges of the packages that a new application installs. They are those of this package's own manifest: packing
// replaces `workspace:^` there by the versions of the same release.

import { readFileSync } from 'node:fs'
import { cp, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Choices, Database } from './choices.ts'
import { Refusal } from './refusal.ts'

interface Manifest {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Manifest

/** The version of this package. */
export const version = manifest.version

/** The packages of Plinth that every application has. */
const always = ['cli', 'kernel', 'rest', 'server'] as const

/**
 * Optional peers of the others. npm asks the registry for them, so an application from tarballs, whose versions are not
 * published, names them.
 */
const optional = ['transfer', 'v4'] as const

/**
 * The packages of Plinth that a plugin or database needs as peers. npm installs them, except for an application from
 * tarballs.
 */
const broughtBy: Readonly<Record<string, readonly string[]>> = {
  mysql: ['sql-servers'],
  postgres: ['sql-servers'],
  'users-permissions': ['email', 'passwords'],
}

/** The packages of Plinth whose plugins config/plugins enables together with one that was chosen. */
const enabledWith: Readonly<Record<string, readonly string[]>> = {
  studio: ['content-type-builder', 'entry-versions', 'slugs', 'types'],
}

/** The package of Plinth that the tests of every application need, and nothing else of it. */
const ofTests = 'testing'

/**
 * The database of the tests. Their package needs it as a peer, and npm asks the registry for it, so an application from
 * tarballs names it.
 */
const databaseOfTests = 'sqlite'

/** The packages by which `plinth dev` counts lists and writes the types of the content: optional peers of the command. */
const ofDevelopment = { advice: 'advice', types: 'types' } as const

/** The package of a database, which brings its driver. */
export const databasePackage = (database: Database) => `@plinth/${database}` as const

/** The dependencies of an application, by the kinds of package.json. */
export interface Dependencies {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}

/**
 * `files`: ranges that replace those of the registry, by the names of packages. `more`: further packages; an empty range
 * stands for that of this package.
 */
export function dependenciesOf(
  choices: Choices,
  files: ReadonlyMap<string, string>,
  more: ReadonlyMap<string, string> = new Map(),
): Dependencies {
  const fromTarballs = [...optional, ...broughtTo([...choices.plugins, choices.database])].filter(name =>
    files.has(`@plinth/${name}`),
  )
  const own = [...always, ...choices.plugins, ...enabledBy(choices.plugins), ...fromTarballs].map(
    name => `@plinth/${name}`,
  )
  const development = [
    `@plinth/${ofTests}`,
    ...(files.size > 0 && choices.database !== databaseOfTests ? [databasePackage(databaseOfTests)] : []),
    `@plinth/${ofDevelopment.advice}`,
    ...(choices.language === 'ts' || files.size > 0 ? [`@plinth/${ofDevelopment.types}`] : []),
    ...(choices.language === 'ts' ? ['@types/node', 'typescript'] : []),
  ]
  const ranges = (names: readonly string[]) =>
    Object.fromEntries([...names].sort().map(name => [name, files.get(name) ?? (more.get(name) || rangeOf(name))]))
  return {
    dependencies: ranges([...new Set([...own, databasePackage(choices.database), 'fastify', ...more.keys()])]),
    devDependencies: ranges(development.filter(name => !more.has(name) && !own.includes(name))),
    // Without it, pictures have no formats. It has no build for some machines.
    optionalDependencies: ranges(choices.plugins.has('upload') ? ['sharp'] : []),
  }
}

const enabledBy = (names: Iterable<string>) => [...names].flatMap(name => enabledWith[name] ?? [])

const broughtTo = (names: Iterable<string>) => [...names].flatMap(name => broughtBy[name] ?? [])

/** In a clone the ranges are not replaced; its packages have no published version yet. */
function rangeOf(name: string): string {
  const range = (manifest.devDependencies[name] ?? manifest.dependencies[name])!
  return range.startsWith('workspace:') ? '*' : range
}

/** The folder of an application in which tarballs of Plinth's packages are. */
export const tarballFolder = 'tarballs'

/**
 * Copies the tarballs that the application needs from `source`; `chosen` are its plugins and databases. Returns their
 * ranges by the names of the packages.
 */
export async function copyTarballs(source: string, dir: string, chosen: Iterable<string>) {
  const files = await readdir(source).catch(() => {
    throw new Refusal(`--tarballs: there is no folder ${source}`)
  })
  const ranges = new Map<string, string>()
  const names = new Set([
    ...always,
    ...chosen,
    ...enabledBy(chosen),
    ...broughtTo(chosen),
    ...optional,
    ofTests,
    databaseOfTests,
    ...Object.values(ofDevelopment),
  ])
  for (const name of names) {
    const file = files.find(one => new RegExp(`^plinth-${name}-\\d+\\..*\\.tgz$`).test(one))
    if (file === undefined) throw new Refusal(`--tarballs: ${source} has no tarball of @plinth/${name}`)
    await mkdir(join(dir, tarballFolder), { recursive: true })
    await cp(join(source, file), join(dir, tarballFolder, file))
    ranges.set(`@plinth/${name}`, `file:${tarballFolder}/${file}`)
  }
  return ranges
}
