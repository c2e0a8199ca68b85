// `plinth doctor`: reports what Plinth serves, ignores and finds different in a Strapi v4 project and its database. Reads only.

import type { PluginsConfig, Registry } from '@plinth/kernel'
import type { MigrationStep } from '@plinth/kernel/migrate'
import type { PluginFacts } from '@plinth/v4/plugins'
import { defineCommand } from '#citty'
import { fieldsIn, lineOf, ownFieldsOf, type ReportedField } from './custom-fields.ts'
import { Failure } from './failure.ts'
import { guardedIn, guardLines, type ReportedGuard } from './guarded.ts'
import type { Fault } from './inspection/faults.ts'
import type { SpareIndex } from './inspection/online-indexes.ts'
import { type V4Report, v4ReportOf } from './inspection/v4.ts'
import { additionOf, estimateSections, type Section, v4Sections } from './inspection/v4-text.ts'
import { leaveOutModuleAdvice } from './module-advice.ts'
import { dirOption, folderOf } from './open.ts'
import { type IgnoredPart, ignoredIn, packagesOf, pluginNames } from './project.ts'
import { type MissingPlugin, type Survey, survey } from './survey.ts'
import { withExamples } from './usage.ts'
import { hasV4, requireV4 } from './v4-package.ts'

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
      leaveOutModuleAdvice()
      const report = await inspect(dir)
      console.log(args.json ? JSON.stringify(report, null, 2) : reportText(report, dir))
      // The report has said why.
      if (report.faults.length > 0) throw new Failure('')
    },
  }),
  [
    'plinth doctor --dir ../my-strapi-app   # reads only; exits with 1 if something stops a start',
    'plinth doctor --json',
  ],
)

/** The report, as `--json` prints it. */
export interface Report {
  /** The faults that stop a start, one fault a member; the exit code is 1 if there are any. */
  readonly faults: readonly Fault[]
  /** Files that were read as text, because they need v4 to run. */
  readonly notes: readonly string[]
  readonly serves: {
    readonly types: readonly { readonly uid: string; readonly path: string; readonly table: string }[]
    readonly components: readonly string[]
    readonly plugins: readonly string[]
    /** Packages of Plinth for plugins of a v4 project, which `create-plinth --from-v4` installs. */
    readonly notInstalled: readonly string[]
  }
  readonly customFields: readonly ReportedField[]
  /** Built-in actions that code of v4 guards or replaces. */
  readonly guarded: readonly ReportedGuard[]
  readonly ignores: readonly IgnoredPart[]
  readonly differs: {
    readonly database: string
    /** The reason why the database could not be inspected; null if it was. */
    readonly fault: string | null
    /** True if the file of SQLite is not there, which a start makes. */
    readonly isMissing: boolean
    /** Remarks for the owner about the stored values. */
    readonly remarks: readonly string[]
    /** The additions that a start would make. */
    readonly added: readonly string[]
    /** The changes that only `plinth migrate apply` would make. */
    readonly changed: readonly string[]
    /** Tables and columns in the database that Plinth does not use. */
    readonly unused: readonly string[]
    /** Indexes of config/database that it names no more, or that nobody uses. Only their owner drops them. */
    readonly spareIndexes: readonly SpareIndex[]
  }
  /** The part of the report that only a project of v4 has; null for other applications. */
  readonly v4: V4Report | null
}

async function inspect(dir: string): Promise<Report> {
  const { packages, faults } = await manifestOf(dir)
  const isOfV4 = packages['@strapi/strapi'] !== undefined
  if (isOfV4) requireV4('plinth doctor')
  const surveyed = await survey(dir, {
    packagePlugins: pluginNames(packages),
    fields: await ownFieldsOf(dir, packages),
    isOfV4,
  })
  const unused = unusedIn(surveyed)
  const guarded = hasV4() ? await guardedIn(dir, surveyed.pluginSettings as PluginsConfig) : []
  const v4 = isOfV4 ? await v4ReportOf({ dir, packages, survey: surveyed, guarded, unused }) : null
  const { factsOf } = v4 === null ? { factsOf: () => null } : await import('@plinth/v4/plugins')
  const whyMissing: WhyMissing = (name, why) => (v4 === null ? why : whyMissingOf(v4, factsOf(name), { name, why }))
  const worksIn = (name: string) => (factsOf(name)?.standing === 'works' ? factsOf(name)!.here : null)
  const report = reportOf(surveyed, { v4, whyMissing, worksIn, guarded, code: await ignoredIn(dir) })
  return { ...report, faults: [...faults, ...report.faults] }
}

/** The packages of the project; none, and a fault, if its manifest is not JSON. */
async function manifestOf(
  dir: string,
): Promise<{ readonly packages: Readonly<Record<string, string>>; readonly faults: readonly Fault[] }> {
  try {
    return { packages: await packagesOf(dir), faults: [] }
  } catch (error) {
    return { packages: {}, faults: [{ place: 'package.json', what: `is not valid JSON: ${(error as Error).message}` }] }
  }
}

type WhyMissing = (name: string, why: string) => string

/** The results of reading the project's code. */
interface OfCode {
  readonly v4: V4Report | null
  readonly guarded: readonly ReportedGuard[]
  readonly code: readonly IgnoredPart[]
  readonly whyMissing: WhyMissing
  /** The package of Plinth for a plugin of a v4 project; null if there is none, or the project is another one. */
  readonly worksIn: (name: string) => string | null
}

function reportOf(surveyed: Survey, { v4, whyMissing, worksIn, guarded, code }: OfCode): Report {
  const { contentTypes, plugins, database, faults, notes } = surveyed
  const types = contentTypes.values().filter(type => type.uid.startsWith('api::'))
  const isInstallable = ({ name, why }: MissingPlugin) => worksIn(name) !== null && why.includes('was not found')
  const missing = surveyed.missing.filter(one => !isInstallable(one))
  const installable = surveyed.missing.filter(isInstallable)
  const isEmptyHere = ({ why }: IgnoredPart) =>
    installable.some(({ name }) => why.includes(`because the plugin "${name}"`))
  const attributes = [...dormantIn(contentTypes).filter(one => !isEmptyHere(one)), ...mendedIn(surveyed)]
  const describeSteps = (steps: readonly MigrationStep[]) =>
    steps.map(step => `${step.says}${step.why === '' ? '' : ` (${step.why})`}`)
  const isAddition = ({ kind, risk }: MigrationStep) =>
    risk === 'safe' && ['create', 'add', 'loosen', 'index', 'moments'].includes(kind)
  return {
    faults,
    notes,
    v4,
    serves: {
      types: types.map(type => ({
        uid: type.uid,
        path: `/api/${type.kind === 'singleType' ? type.singularName : type.pluralName}`,
        table: type.table,
      })),
      components: contentTypes.values().flatMap(type => (type.kind === 'component' ? [type.uid] : [])),
      plugins,
      notInstalled: installable.map(({ name }) => worksIn(name)!),
    },
    customFields: fieldsIn(contentTypes),
    guarded,
    ignores: [
      ...missing.map(({ name, why }) => ({ path: `plugin ${name}`, why: whyMissing(name, why) })),
      ...attributes,
      ...surveyed.unused.map(partOf),
      ...code,
    ],
    differs: {
      database: `${database.client} ${database.place}`,
      fault: database.fault,
      isMissing: database.isMissing,
      remarks: database.remarks,
      added: describeSteps(database.steps.filter(isAddition)),
      changed: describeSteps(database.steps.filter(step => !isAddition(step) && step.kind !== 'drop')),
      unused: unusedIn(surveyed),
      spareIndexes: database.spareIndexes,
    },
  }
}

/**
 * Returns why a plugin is missing. That Plinth has no package of its name says nothing to somebody who moves from v4.
 */
function whyMissingOf(v4: V4Report, facts: PluginFacts | null, { name, why }: MissingPlugin): string {
  if (v4.localPlugins.some(one => one.name === name || one.folder.endsWith(`/${name}`)))
    return 'a plugin of the project for v4, which is not run'
  const plugin = v4.plugins.find(one => one.name === name) ?? facts
  if (plugin?.standing === 'works') return why
  if (plugin !== null) return additionOf(plugin)
  return why.includes('was not found') ? 'a plugin for v4, which Plinth does not have' : why
}

/** `src/api/a/content-types/a.settings.json: is not read; …` */
function partOf(line: string): IgnoredPart {
  const end = line.indexOf(': ')
  return { path: line.slice(0, end), why: line.slice(end + 2) }
}

/** Attributes that are always empty. */
function dormantIn(contentTypes: Registry): IgnoredPart[] {
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
function mendedIn({ contentTypes, database: { steps } }: Survey): IgnoredPart[] {
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

function reportText(report: Report, dir: string): string {
  const { serves, customFields, guarded, ignores, differs, faults, notes, v4 } = report
  const width = Math.max(...serves.types.map(type => type.path.length), 0)
  const list = (title: string, lines: readonly string[], none: string) => [
    title,
    ...(lines.length === 0 ? [`  ${none}`] : lines.map(line => `  ${line}`)),
    '',
  ]
  const filled = (sections: readonly Section[]) =>
    sections.flatMap(([title, lines]) => (lines.length === 0 ? [] : list(title, lines, '')))
  const unknownOf = ({ isMissing }: Report['differs']) => [
    ...(isMissing ? list('A start would add', ['the file, and the tables of all content types'], '') : []),
    ...list(
      `${isMissing ? 'What' : 'What a start would change, and what'} is stored, such as rights of roles, is not known`,
      [
        isMissing && v4 === null
          ? 'ask again after a start; for content of v4, set the variables of config/database to a copy of its database'
          : 'set the variables of config/database to a copy of the database of v4, and ask again',
      ],
      '',
    ),
  ]
  const lineOfPart = ({ path, why }: IgnoredPart) => `${path}: ${why}`
  return [
    ...filled([['What stops a start', faults.map(({ place, what }) => `${place}: ${what}`)]]),
    ...filled([['What was read as text', notes]]),
    ...list(
      `Plinth serves ${serves.types.length} content types and ${serves.components.length} components`,
      serves.types.map(type => `${type.path.padEnd(width)}  ${type.uid}`),
      'no content type was found in src/api',
    ),
    ...list(
      'The plugins are',
      [
        serves.plugins.join(', '),
        ...serves.notInstalled.map(name => `${name}, which is not installed here: create-plinth --from-v4 installs it`),
      ],
      'none',
    ),
    ...filled([['Custom fields are attributes of their base types', customFields.map(lineOf)]]),
    ...filled([['Plinth answers 403, because code of v4 guards or replaces', guardLines(guarded)]]),
    ...list(`Plinth ignores in ${dir}`, ignores.map(lineOfPart), 'nothing'),
    ...(v4 === null ? [] : filled(v4Sections(v4, differs.fault === null))),
    `The database is ${differs.database}`,
    ...(differs.fault === null ? [] : [`  It could not be inspected: ${differs.fault}`]),
    ...differs.remarks.map(remark => `  ${remark}.`),
    '',
    // Of a database that did not open, these are not nothing: nobody knows.
    ...(differs.fault === null
      ? [
          ...list('A start would add', differs.added, 'nothing'),
          ...list('Only `plinth migrate apply` would change', differs.changed, 'nothing'),
          ...list(
            'Plinth does not use',
            differs.unused.map(name => withRows(name, v4)),
            'nothing',
          ),
          ...filled([
            [
              'Indexes that could be dropped',
              differs.spareIndexes.map(({ name, table, why, sql }) => `${name} of ${table}: ${why} (${sql})`),
            ],
          ]),
        ]
      : unknownOf(differs)),
    ...(v4 === null ? [] : filled(estimateSections(v4))),
  ].join('\n')
}

/** A table with the number of its rows, if they were counted. */
function withRows(name: string, v4: V4Report | null): string {
  const rows = v4?.stored.unused[name]
  return rows === undefined ? name : `${name} (${rows} ${rows === 1 ? 'row' : 'rows'})`
}
