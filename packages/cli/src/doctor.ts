// `plinth doctor`: what Plinth makes of a Strapi v4 project and its database. Looks, and changes nothing.

import type { Kernel } from '@plinth/kernel'
import { type Step, type Survey, survey } from '@plinth/kernel/migrate'
import { defineCommand } from 'citty'
import { dirOption, folderOf } from './open.ts'
import { type Ignored, ignoredIn, packagesOf, pluginNames } from './project.ts'

export const doctor = defineCommand({
  meta: {
    name: 'doctor',
    description:
      'look at a Strapi v4 project and its database, and tell what Plinth serves, ignores and finds different',
  },
  args: { dir: dirOption, json: { type: 'boolean', description: 'print JSON' } },
  async run({ args }) {
    const dir = folderOf(args.dir)
    const found = await survey(dir, pluginNames(await packagesOf(dir)))
    try {
      const report = reportOf(found, await ignoredIn(dir))
      console.log(args.json ? JSON.stringify(report, null, 2) : reportText(report))
    } finally {
      await found.kernel.close()
    }
  },
})

/** What `--json` prints. */
export interface Report {
  readonly serves: {
    readonly types: readonly { readonly uid: string; readonly path: string; readonly table: string }[]
    readonly components: readonly string[]
    readonly plugins: readonly string[]
  }
  readonly ignores: readonly Ignored[]
  readonly differs: {
    readonly database: string
    /** Why the database could not be looked at. */
    readonly fault: string | null
    /** What a start would add. */
    readonly added: readonly string[]
    /** What is only done by `plinth migrate apply`. */
    readonly changed: readonly string[]
    /** What lies in the database and is left alone. */
    readonly unused: readonly string[]
  }
}

function reportOf({ kernel, plugins, missing, database }: Survey, code: readonly Ignored[]): Report {
  const types = kernel.contentTypes.values().filter(type => type.uid.startsWith('api::'))
  const attributes = dormantIn(kernel)
  const named = (steps: readonly Step[]) => steps.map(step => `${step.says}${step.why === '' ? '' : ` (${step.why})`}`)
  const isAddition = ({ kind, risk }: Step) => risk === 'safe' && ['create', 'add', 'index'].includes(kind)
  return {
    serves: {
      types: types.map(type => ({
        uid: type.uid,
        path: `/api/${type.kind === 'singleType' ? type.singularName : type.pluralName}`,
        table: type.table,
      })),
      components: kernel.contentTypes.values().flatMap(type => (type.kind === 'component' ? [type.uid] : [])),
      plugins,
    },
    ignores: [...missing.map(({ name, why }) => ({ path: `plugin ${name}`, why })), ...attributes, ...code],
    differs: {
      database: `${database.client} ${database.place}`,
      fault: database.fault,
      added: named(database.steps.filter(isAddition)),
      changed: named(database.steps.filter(step => !isAddition(step) && step.kind !== 'drop')),
      unused: unusedIn(database),
    },
  }
}

/** Attributes that wait for a plugin. */
function dormantIn(kernel: Kernel): Ignored[] {
  return kernel.contentTypes
    .values()
    .flatMap(type =>
      [...type.attributes.values()]
        .filter(one => one.kind === 'dormant')
        .map(one => ({ path: `${type.uid}.${one.name}`, why: `${one.type}: its plugin is not there, so it is empty` })),
    )
}

/** Tables of v4 itself and of nobody, and columns that no attribute has. */
function unusedIn({ others, steps }: Survey['database']): string[] {
  const dropped = steps.filter(step => step.kind === 'drop').map(step => step.name.slice('drop:'.length))
  return [...others, ...dropped.filter(name => !others.includes(name))]
}

function reportText({ serves, ignores, differs }: Report): string {
  const width = Math.max(...serves.types.map(type => type.path.length), 0)
  const list = (title: string, lines: readonly string[], none: string) => [
    title,
    ...(lines.length === 0 ? [`  ${none}`] : lines.map(line => `  ${line}`)),
    '',
  ]
  return [
    ...list(
      `Plinth serves ${serves.types.length} types, with ${serves.components.length} components`,
      serves.types.map(type => `${type.path.padEnd(width)}  ${type.uid}`),
      'no type was found in src/api',
    ),
    ...list('with the plugins', [serves.plugins.join(', ')], 'none'),
    ...list(
      'It ignores',
      ignores.map(one => `${one.path}: ${one.why}`),
      'nothing',
    ),
    `The database is ${differs.database}`,
    ...(differs.fault === null ? [] : [`  which could not be looked at: ${differs.fault}`]),
    '',
    ...list('A start would add', differs.added, 'nothing'),
    ...list('Only `plinth migrate apply` would change', differs.changed, 'nothing'),
    ...list('It leaves alone', differs.unused, 'nothing'),
  ].join('\n')
}
