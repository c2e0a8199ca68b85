// The public surface of @plinth/kernel.

export { type Static, Type } from '#typebox'
export { loadConfig } from './application/config-files.ts'
export { type Env, env } from './application/env.ts'
export { loadModel, type ModelFile, type ModelFiles } from './application/model-files.ts'
export type { ActionRules, Actions } from './boot/actions.ts'
export type { AppModule, AppTools } from './boot/app.ts'
export type { Auth, AuthStrategy, Credentials } from './boot/auth.ts'
export type { Command, CommandGroup, CommandOption, CommandTools } from './boot/commands.ts'
export type { ContentWriter } from './boot/content-writer.ts'
export { createKernel, type Mount } from './boot/create-kernel.ts'
export { type CredentialBounds, CredentialCache } from './boot/credential-cache.ts'
export { findPlugins } from './boot/find-plugin.ts'
export { freezeModel, type ModelOptions } from './boot/freeze-model.ts'
export type { Kernel } from './boot/kernel.ts'
export type { Logger } from './boot/logger.ts'
export { checkOptions, kernelOptions } from './boot/option-checks.ts'
export type { KernelOptions, SettingsByFile } from './boot/options.ts'
export type { OwnTables } from './boot/own-tables.ts'
export { definePlugin, type Plugin, type PluginDefinition, type PluginTools } from './boot/plugin.ts'
export type { PluginEntry, PluginsConfig } from './boot/plugin-entry.ts'
export { definePlugins, type EnabledPlugin, resolvePlugins } from './boot/plugins.ts'
export type { Policies } from './boot/policies.ts'
export type { Policy, PolicyContext, PolicyHandler, PolicyRun, PolicyTools, PolicyUse } from './boot/policy.ts'
export type { Readiness, ReadinessCheck } from './boot/readiness.ts'
export type { EntryPage, Id, Repository } from './boot/repository.ts'
export type { SecretSource } from './boot/secrets.ts'
export type { PluginServices, Service, ServiceSet, Services } from './boot/services.ts'
export type { StoredTables } from './boot/stored-tables.ts'
export type { StatementObserver } from './connection/observer.ts'
export type { PoolUsage } from './connection/pool.ts'
export type { Session, Transaction } from './connection/session.ts'
export {
  type Access,
  type AnswerLimits,
  type Context,
  createContext,
  labelOf,
  openAccess,
  systemAccess,
  withRights,
} from './context.ts'
export type { DatabaseConfig } from './databases/database-config.ts'
export { parseId } from './entry-id.ts'
export type { AnswerCodes, ErrorCode, ErrorCodes } from './error-codes.ts'
export * from './errors.ts'
export type { HookOptions } from './hooks/hook-options.ts'
export type { HookName, HookRegistry, Hooks, OwnHookName, Reply } from './hooks/hooks.ts'
export type { Lifecycle, LifecycleEvent } from './hooks/lifecycles.ts'
export type { PluginHost, WholeServer } from './hooks/plugin-host.ts'
export type { Completeness, VisitValue, Write, WriteAction, WrittenValue } from './hooks/write.ts'
export type { MigrateMode } from './migrate/mode.ts'
export type { SyncReport } from './migrate/start.ts'
export type { AliasType, ScalarType, Storage } from './model/attribute-types.ts'
export type { CustomField, CustomFieldSet, SettledField } from './model/base-types.ts'
export type {
  Attribute,
  AttributeDefinition,
  ComponentAttribute,
  ContentType,
  DormantAttribute,
  Operation,
  RelationAttribute,
  ScalarAttribute,
  TypeOptions,
  Uid,
  ZoneAttribute,
} from './model/content-type.ts'
export { defineComponent, defineContentType } from './model/define.ts'
export type { TypeDraft } from './model/draft.ts'
export { type Fault, findFaults } from './model/faults.ts'
export type { AttributeInputs, CommonOptions } from './model/input.ts'
export type { Registry } from './model/registry.ts'
export type { ComponentSchema, ContentTypeSchema } from './model/schema.ts'
export type { FindColumn } from './model/settle-fields.ts'
export type { TypeSettings } from './model/type-settings.ts'
export { typoOf } from './model/typo.ts'
export { nearest, suggestion } from './nearest.ts'
export type { Calculation, MetaSource } from './plan/calculation.ts'
export * from './plan/condition.ts'
export type { PlanDraft } from './plan/draft.ts'
export type { FilteredBy, ListSearch, SortedBy } from './plan/list-search.ts'
export type { Via } from './plan/open-node.ts'
export type { DeletedRule, Parameter, ParameterDefinition } from './plan/parameters.ts'
export { withMaxCost } from './query/max-cost.ts'
export type { Operator } from './query/operators.ts'
export type { FindOneOptions, FindOptions, WriteOptions } from './query/options.ts'
export { type PaginationRules, pageInfo } from './query/pagination.ts'
export type { ParameterOffer } from './query/parameter-syntax.ts'
export {
  type ParameterOptions,
  type PopulateOption,
  type PopulateOptions,
  Under,
  under,
} from './query/populate-options.ts'
export type { Action, OwnMeta, Pagination, Query, Stage } from './query/query.ts'
export type { RefusedPart } from './query/refused-parts.ts'
export type { Params, ReadRequest } from './query/request.ts'
export type { AnswerRequest, PreparedAnswer } from './read/answers.ts'
export type { Answer, PreparedRead, Reader } from './read/reader.ts'
export { TextReader } from './read/text-reader.ts'
export { isPlainRecord, isRecord } from './record.ts'
export { redactLine } from './redaction/line.ts'
export { isSecretName } from './redaction/names.ts'
export { redactText } from './redaction/text.ts'
export { authorPrefix } from './registration/blame.ts'
export type { AnswerBranch, AnswerNode } from './result/answer-node.ts'
export type { Execution, ReadResult } from './result/execution.ts'
export type { BranchRows, Member, NodeRows, Row } from './result/node-rows.ts'
export type { ReadPage } from './result/read-page.ts'
export { type Entry, toEntries } from './result/rows.ts'
export { type AnswerSize, checkSize, sizeOf, tooManyBytes, tooManyEntries } from './result/size.ts'
export { bytesOfText } from './row-bytes.ts'
export type { RowCount } from './row-count.ts'
export type { RowShare } from './row-share.ts'
export type { Codec } from './sql/dialect.ts'
export type { CreateRequest, DeleteRequest, EntrySource, SingleRequest, UpdateRequest } from './write/requests.ts'
export { findUnknownNames } from './write/unknown-names.ts'
