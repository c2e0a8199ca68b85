/**
 * Law: the exports of @plinth/kernel and of its entry `tables` are listed here, and no other package uses anything else of
 * it.
 */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'

const packages = join(import.meta.dirname, '../../packages')

/** A new name is added here when it is meant for plugins and documented. */
const names = `
  Access Action ActionRules Actions AliasType Answer AnswerBranch AnswerCodes AnswerLimits AnswerNode AnswerRequest
  AnswerSize AppModule AppTools Attribute AttributeDefinition AttributeInputs Auth AuthStrategy BranchRows
  Calculation Codec Command CommandGroup CommandOption CommandTools CommonOptions Completeness ComponentAttribute
  ComponentSchema ContentType ContentTypeSchema ContentWriter Context CreateRequest CredentialBounds CredentialCache
  Credentials CustomField CustomFieldSet DatabaseConfig DeleteRequest DeletedRule DormantAttribute EnabledPlugin
  Entry EntryPage EntrySource Env ErrorCode ErrorCodes Execution Fault FilteredBy FindColumn FindOneOptions
  FindOptions HookName HookOptions HookRegistry Hooks Id Kernel KernelOptions Lifecycle LifecycleEvent ListSearch
  Logger Member MetaSource MigrateMode ModelFile ModelFiles ModelOptions Mount NodeRows Operation Operator
  OwnHookName OwnMeta OwnTables Pagination PaginationRules Parameter ParameterDefinition ParameterOffer
  ParameterOptions Params PlanDraft Plugin PluginDefinition PluginEntry PluginHost PluginServices PluginTools
  PluginsConfig Policies Policy PolicyContext PolicyHandler PolicyRun PolicyTools PolicyUse PoolUsage PopulateOption
  PopulateOptions PreparedAnswer PreparedRead Query ReadPage ReadRequest ReadResult Reader Readiness ReadinessCheck
  RefusedPart Registry RelationAttribute Reply Repository Row RowCount RowShare ScalarAttribute ScalarType
  SecretSource Service ServiceSet Services Session SettingsByFile SettledField SingleRequest SortedBy Stage
  StatementObserver Static Storage StoredTables SyncReport TextReader Transaction Type TypeDraft TypeOptions TypeSettings Uid
  Under UpdateRequest Via VisitValue WholeServer Write WriteAction WriteOptions WrittenValue ZoneAttribute
  authorPrefix bytesOfText checkOptions checkSize createContext createKernel defineComponent defineContentType
  definePlugin definePlugins env findFaults findPlugins findUnknownNames freezeModel isPlainRecord isRecord isSecretName
  kernelOptions labelOf loadConfig loadModel nearest openAccess pageInfo parseId redactLine redactText resolvePlugins sizeOf suggestion systemAccess
  toEntries tooManyBytes tooManyEntries typoOf under withMaxCost withRights
`

/** The names of @plinth/kernel/database, which are for packages of databases. */
const namesForDatabases = `
  After Bound BoundOne BoundStatement Bracket Callers Catalogue Change Codec CollisionError ColumnKind ColumnLayout
  ColumnTests Committed Comparison ConnectionDriver ConnectionSchema ConnectionSettings ConnectionTools Connections
  DatabaseDefinition DatabasePackage Ddl Dialect Driver DriverError DriverErrors DriverSession DriverSettings
  EntryTurn ErrorKind ErrorMeaning Family ForeignKey IndexLayout InsertGuard IsAbandoned Knex Limits Maybe
  MigrationLock NoRoomError Observers OnlineIndexing Pool PoolSupervisor PresentColumn PresentIndex PresentKey
  PresentTable RawConnection Reading ReadonlyWork Requirement RowBytes Rows RunningTransaction Session StartError
  StatementListener StatementObserver Storage TableLayout TableLimits TextCache TextCacheLimits TickRows Transaction
  TransactionOptions TransactionWork Turn Turns UnavailableError UniqueColumns Usage UsageError ValidationError ValueTexts
  awayError batchesOf bytesOfRow bytesOfRows columnTexts connectTimeout cut defineDatabase fieldsOf
  foreignKeyText indexColumns insertText isLost isTextual isTransient isoJson isoText listenerFor meaningOf nearest
  note numbersOf parseDatetime parseDecimal parseStored patterns places quoteText requireVersion sharedObserver
  shorten storedJson takenError typeIn unavailable variable
`

/** The names of @plinth/kernel/tables, which are for packages with statements of their own. */
const namesForTables = `
  BoundOne ColumnKind Dialect OpenDatabase Present PresentIndex ResolvedDatabase TableLayout WithDatabase batchesOf
  componentsTable databaseOf inspect inspectColumns isStructural layoutOf mayExist onlinePrefix parseDate
  parseDatetime parseTime places readOnly resolveDatabase typeParserOf
`

/** The names of @plinth/kernel/migrate, which are for tools. */
const namesForMigrations = `
  ApplyResult MigrationFile MigrationStep Plan PlanOptions Risk isImportUnfinished makePlan readColumns unfinishedTable
`

/** The names that its file declares itself. */
const ownNamesForMigrations = 'MigratedKernel MigrationPlan planMigrations applyMigrations undoMigration'

/** Modules all of whose names are exported. */
const whole = ['./errors.ts', './plan/condition.ts']

/** The names that a text exports from other modules, sorted. */
function exportedBy(text: string): string[] {
  const listed = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list]) => list!.split(','))
  return listed
    .map(name => name.trim().replace(/^type /, ''))
    .filter(name => name !== '')
    .sort()
}

t.test('the exports for packages of databases', async t => {
  const text = await readFile(join(packages, 'kernel/src/databases/index.ts'), 'utf8')
  t.same(exportedBy(text), namesForDatabases.trim().split(/\s+/))
})

t.test('the exports for packages with statements of their own', async t => {
  const text = await readFile(join(packages, 'kernel/src/tables.ts'), 'utf8')
  t.same(exportedBy(text), namesForTables.trim().split(/\s+/))
})

t.test('the exports for tools that change the database', async t => {
  const text = await readFile(join(packages, 'kernel/src/migrate/index.ts'), 'utf8')
  t.same(exportedBy(text), namesForMigrations.trim().split(/\s+/))
  const declared = text.matchAll(/^export (?:async )?(?:interface|type|function|const|class) (\w+)/gm)
  t.same([...declared].map(([, name]) => name).join(' '), ownNamesForMigrations)
})

t.test('the exports', async t => {
  const text = await readFile(join(packages, 'kernel/src/index.ts'), 'utf8')
  t.same(exportedBy(text), names.trim().split(/\s+/))
  t.same(
    [...text.matchAll(/export \* from '([^']+)'/g)].map(([, name]) => name),
    whole,
  )
})

/** Matches members that the published types omit (`@internal`), and paths into the kernel. */
const internal =
  /\bkernel\.(?:engine|database|load|freeze|start|registerPlugin)\b|\.compiled\b|@plinth\/kernel\/[\w-]*'?/

/** Packages that may use more of the kernel, by the contract that is for them. */
const ofDatabases = /^@plinth\/kernel\/database'$/
const ofTables = /^@plinth\/kernel\/tables'$/
const more: Readonly<Record<string, RegExp>> = {
  advice: ofTables,
  cli: /^@plinth\/kernel\/(?:database|tables|migrate)'$/,
  'entry-versions': ofTables,
  pglite: ofDatabases,
  mysql: ofDatabases,
  objection: ofTables,
  postgres: ofDatabases,
  'sql-servers': ofDatabases,
  sqlite: ofDatabases,
  transfer: /^@plinth\/kernel\/(?:tables|migrate)'$/,
}

t.test('what packages use', async t => {
  const folders = (await readdir(packages)).filter(name => name !== 'kernel' && name !== 'test-tools')
  t.ok(folders.length > 15, 'there are packages to look at')
  const sources = folders.map(name => ({ name, folder: join(packages, name, 'src') }))
  const fixtures = (await readdir(join(import.meta.dirname, '../fixtures'))).map(name => ({
    name,
    folder: join(import.meta.dirname, '../fixtures', name, 'src'),
  }))
  for (const { name, folder } of [...sources, ...fixtures]) {
    const files = (await readdir(folder, { recursive: true })).filter(file => file.endsWith('.ts'))
    t.ok(files.length > 0, folder)
    for (const file of files) {
      const used = (await readFile(join(folder, file), 'utf8')).match(new RegExp(internal, 'g')) ?? []
      t.same(
        used.filter(one => more[name]?.test(one) !== true),
        [],
        `${name}: ${file}`,
      )
    }
  }
})
