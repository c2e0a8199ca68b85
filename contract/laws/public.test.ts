/** Law: the exports of @plinth/kernel are listed here, and plugins use nothing else of it. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'

const packages = join(import.meta.dirname, '../../packages')

/** A new name is added here when it is meant for plugins and documented. */
const names = `
  Access Action ActionRules Actions AliasType Answer AnswerBranch AnswerCodes AnswerLimits AnswerNode AnswerSize
  AppModule AppTools Attribute AttributeDefinition AttributeInputs Auth AuthStrategy BranchRows Calculation Codec Command
  CommandGroup CommandOption CommandTools CommonOptions Completeness ComponentAttribute ComponentSchema ContentType
  ContentTypeSchema ContentWriter Context CreateRequest Credentials CustomField CustomFieldSet DatabaseConfig DeleteRequest DeletedRule
  DormantAttribute EnabledPlugin Entry EntryPage EntrySource Env ErrorCode ErrorCodes Execution Fault FindColumn FindOneOptions
  FindOptions HookName HookOptions HookRegistry Hooks Id Kernel KernelOptions Lifecycle LifecycleEvent Logger Member MetaSource
  MigrateMode ModelFile ModelFiles ModelOptions Mount NodeRows Operation Operator OwnHookName OwnMeta Pagination PaginationRules
  Parameter ParameterDefinition ParameterOffer ParameterOptions Params PlanDraft Plugin PluginDefinition PluginEntry
  PluginHost PluginServices PluginTools PluginsConfig Policies Policy PolicyContext PolicyHandler PolicyRun PolicyTools
  PolicyUse PoolUsage PopulateOption PopulateOptions PreparedRead Query ReadOptions ReadRequest ReadResult Reader
  Readiness ReadinessCheck Registry RelationAttribute Reply Repository Row RowCount ScalarAttribute ScalarType SecretSource
  Service ServiceSet Services Session SettingsByFile SettledField SingleRequest Stage StatementObserver Static Storage SyncReport TextReader
  Transaction Type TypeDraft TypeOptions TypeSettings Uid Under UpdateRequest Via VisitValue WholeServer Write
  WriteAction WriteOptions WrittenValue ZoneAttribute authorPrefix checkOptions checkSize createContext createKernel
  defineComponent defineContentType definePlugin definePlugins env findFaults freezeModel kernelOptions loadConfig
  loadModel nearest openAccess pageInfo redactLine redactText resolvePlugins sizeOf suggestion systemAccess toEntries tooManyBytes
  tooManyEntries typoOf under withMaxCost withRights
`

/** Modules all of whose names are exported. */
const whole = ['./errors.ts', './plan/condition.ts']

t.test('the exports', async t => {
  const text = await readFile(join(packages, 'kernel/src/index.ts'), 'utf8')
  const listed = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list]) => list!.split(','))
  const exported = listed.map(name => name.trim().replace(/^type /, '')).filter(name => name !== '')
  t.same(exported.sort(), names.trim().split(/\s+/))
  t.same(
    [...text.matchAll(/export \* from '([^']+)'/g)].map(([, name]) => name),
    whole,
  )
})

/** Matches members that the published types omit (`@internal`), and paths into the kernel. */
const internal =
  /\bkernel\.(?:engine|database|load|freeze|start|registerPlugin)\b|\.compiled\b|@plinth\/kernel\/(?!migrate'|objection')/g

t.test('what plugins use', async t => {
  const plugins = [
    'rest',
    'graphql',
    'i18n',
    'draft-publish',
    'api-tokens',
    'custom-fields',
    'idempotency',
    'metrics',
    'telemetry',
    'upload',
    'upload-s3',
    'v4',
  ].map(name => join(packages, name, 'src'))
  for (const folder of [...plugins, join(import.meta.dirname, '../fixtures/reading-time/src')]) {
    const files = (await readdir(folder, { recursive: true })).filter(name => name.endsWith('.ts'))
    t.ok(files.length > 0, folder)
    for (const name of files) t.same((await readFile(join(folder, name), 'utf8')).match(internal), null, name)
  }
})
