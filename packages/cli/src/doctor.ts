// `plinth doctor`: reports what Plinth serves, ignores and finds different in a Strapi v4 project and its database. Reads only.

import { loadConfig, type PluginsConfig, type Registry } from '@plinth/kernel'
import type { MigrationStep } from '@plinth/kernel/migrate'
import { defineCommand } from '#citty'
import { fieldsIn, lineOf, ownFieldsOf, type ReportedField } from './custom-fields.ts'
import { dirOption, folderOf } from './open.ts'
import { guardedIn, guardLine, type ReportedGuard } from './guarded.ts'
import { type Ignored, ignoredIn, packagesOf, pluginNames } from './project.ts'
import { type Survey, survey } from './survey.ts'
import { withExamples } from './usage.ts'

export const doctor = withExamples(
  defineCommand({
    meta: {
      name: 'doctor',
      description:
        'inspect a Strapi v4 project and its database, and report what Plinth serves, ignores and finds different',
    },
    args: { dir: dirOption, json: { type: 'boolean', description: 'print JSON' } },
    async run({ args }) {
      const dir = folderOf(args.dir)
      const packages = await packagesOf(dir)
      const found = await survey(dir, { wanted: pluginNames(packages), fields: await ownFieldsOf(dir, packages) })
      const guarded = await guardedIn(dir, (await loadConfig(dir, 'plugins')) as PluginsConfig)
      const report = reportOf(found, { guarded, ignores: await ignoredIn(dir) })
      console.log(args.json ? JSON.stringify(report, null, 2) : reportText(report))
    },
  }),
  ['plinth doctor --dir ../my-strapi-app   # reads only', 'plinth doctor --json'],
)

/** The report, as `--json` prints it. */
export interface Report {
  readonly serves: {
    readonly types: readonly { readonly uid: string; readonly path: string; readonly table: string }[]
    readonly components: readonly string[]
    readonly plugins: readonly string[]
  }
  readonly customFields: readonly ReportedField[]
  /** Built-in actions that code of v4 guards or replaces. */
  readonly guarded: readonly ReportedGuard[]
  readonly ignores: readonly Ignored[]
  readonly differs: {
    readonly database: string
    /** Why the database could not be inspected; null if it was. */
    readonly fault: string | null
    /** What the owner should know about the stored values. */
    readonly remarks: readonly string[]
    /** What a start would add. */
    readonly added: readonly string[]
    /** What only `plinth migrate apply` would change. */
    readonly changed: readonly string[]
    /** Tables and columns in the database that Plinth does not use. */
    readonly unused: readonly string[]
  }
}

/** What was read of the project's code. */
type OfCode = Pick<Report, 'guarded' | 'ignores'>

function reportOf(found: Survey, { guarded, ignores }: OfCode): Report {
  const { contentTypes, plugins, missing, database } = found
  const types = contentTypes.values().filter(type => type.uid.startsWith('api::'))
  const attributes = [...dormantIn(contentTypes), ...mendedIn(found)]
  const named = (steps: readonly MigrationStep[]) =>
    steps.map(step => `${step.says}${step.why === '' ? '' : ` (${step.why})`}`)
  const isAddition = ({ kind, risk }: MigrationStep) =>
    risk === 'safe' && ['create', 'add', 'index', 'moments'].includes(kind)
  return {
    serves: {
      types: types.map(type => ({
        uid: type.uid,
        path: `/api/${type.kind === 'singleType' ? type.singularName : type.pluralName}`,
        table: type.table,
      })),
      components: contentTypes.values().flatMap(type => (type.kind === 'component' ? [type.uid] : [])),
      plugins,
    },
    customFields: fieldsIn(contentTypes),
    guarded,
    ignores: [...missing.map(({ name, why }) => ({ path: `plugin ${name}`, why })), ...attributes, ...ignores],
    differs: {
      database: `${database.client} ${database.place}`,
      fault: database.fault,
      remarks: database.remarks,
      added: named(database.steps.filter(isAddition)),
      changed: named(database.steps.filter(step => !isAddition(step) && step.kind !== 'drop')),
      unused: unusedIn(found),
    },
  }
}

/** Attributes that are always empty. */
function dormantIn(contentTypes: Registry): Ignored[] {
  return contentTypes.values().flatMap(type =>
    [...type.attributes.values()]
      .filter(one => one.kind === 'dormant')
      .map(one => ({
        path: `${type.uid}.${one.name}`,
        why: `${one.type}: it is always empty, because ${one.why}`,
      })),
  )
}

/** Relations whose sides do not name each other as they should, with the links that are not shown. */
function mendedIn({ contentTypes, database: { steps } }: Survey): Ignored[] {
  return contentTypes.mended.map(({ uid, attribute, why, unusedTable }) => {
    const unused = steps.find(step => step.name === `drop:${unusedTable}`)
    const links = unused === undefined ? '' : `; its own table ${unusedTable} is not read (${unused.why} with it)`
    return { path: `${uid}.${attribute}`, why: why + links }
  })
}

/** Tables of v4 itself, tables without a content type, and columns without an attribute; not what Plinth itself keeps. */
function unusedIn({ database: { others, steps }, keeps }: Survey): string[] {
  const dropped = steps.filter(step => step.kind === 'drop').map(step => step.name.slice('drop:'.length))
  return [...others, ...dropped.filter(name => !others.includes(name))].filter(name => !keeps(name))
}

function reportText({ serves, customFields, guarded, ignores, differs }: Report): string {
  const width = Math.max(...serves.types.map(type => type.path.length), 0)
  const list = (title: string, lines: readonly string[], none: string) => [
    title,
    ...(lines.length === 0 ? [`  ${none}`] : lines.map(line => `  ${line}`)),
    '',
  ]
  return [
    ...list(
      `Plinth serves ${serves.types.length} content types and ${serves.components.length} components`,
      serves.types.map(type => `${type.path.padEnd(width)}  ${type.uid}`),
      'no content type was found in src/api',
    ),
    ...list('The plugins are', [serves.plugins.join(', ')], 'none'),
    ...(customFields.length === 0
      ? []
      : list('Custom fields are attributes of their base types', customFields.map(lineOf), '')),
    ...(guarded.length === 0
      ? []
      : list('Plinth answers 403, because code of v4 guards or replaces', guarded.map(guardLine), '')),
    ...list(
      'Plinth ignores',
      ignores.map(one => `${one.path}: ${one.why}`),
      'nothing',
    ),
    `The database is ${differs.database}`,
    ...(differs.fault === null ? [] : [`  It could not be inspected: ${differs.fault}`]),
    ...differs.remarks.map(remark => `  ${remark}.`),
    '',
    ...list('A start would add', differs.added, 'nothing'),
    ...list('Only `plinth migrate apply` would change', differs.changed, 'nothing'),
    ...list('Plinth does not use', differs.unused, 'nothing'),
  ].join('\n')
}
